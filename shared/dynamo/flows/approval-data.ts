import type { ApprovalData } from '../../ports/signing.ts';
import { json } from '../codec.ts';

/** Codec of approval data. It was validated on receipt and is stored exactly as it will be signed. */
export const approvalData = json<ApprovalData>('approval_data', (value) => value as ApprovalData);
