import type { Approval, Approvals } from '../../ports/signing.ts';
import { codec, number, optional, text } from '../codec.ts';
import { approvalKey } from '../keys.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';
import { approvalData } from './approval-data.ts';

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
