import type { Approvals } from '../../ports/signing.ts';
import { asJson, number, omitUndefined, optionalJsonTexts, optionalText, text } from '../attributes.ts';
import { approvalKey } from '../keys.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';

export const approvals = (table: Table): Approvals =>
  singleUse(table, {
    key: approvalKey,
    fromItem: (item) =>
      omitUndefined({
        hash: text(item, 'hash'),
        tenantId: text(item, 'tenant_id'),
        applicationId: text(item, 'application_id'),
        userId: text(item, 'user_id'),
        keyId: optionalText(item, 'key_id'),
        challenge: text(item, 'challenge'),
        approvalData: optionalJsonTexts(item, 'approval_data') ?? {},
        expiresAt: number(item, 'expires_at'),
      }),
    toAttributes: (approval) => ({
      tenant_id: approval.tenantId,
      application_id: approval.applicationId,
      user_id: approval.userId,
      key_id: approval.keyId,
      challenge: approval.challenge,
      approval_data: asJson(approval.approvalData),
    }),
  });
