import type { ApprovalData } from '../../ports/signing.ts';
import { json } from '../codec.ts';

/** What is approved was checked when it came, and is kept as it is signed. */
export const approvalData = json<ApprovalData>('approval_data', (value) => value as ApprovalData);
