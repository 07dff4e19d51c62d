import type { Approval, ApprovalData, Approvals } from '../../ports/signing.ts';
import { codec, json, number, optional, text } from '../codec.ts';
import { approvalKey } from '../keys.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';

/** Codec of approval data. It was validated on receipt and is stored exactly as it will be signed. */
export const approvalData = json<ApprovalData>('approval_data', (value) => value as ApprovalData);

const approvalItem = codec<Approval>({
  hash: text('hash'),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  userId: text('user_id'),
  keyId: optional(text('key_id')),
  challenge: text('challenge'),
  approvalData,
  expiresAt: number('expires_at'),
});

export const approvals = (table: Table): Approvals => singleUse(table, approvalKey, approvalItem);
