import type { WebauthnChallenge, WebauthnChallenges } from '../../ports/signing.ts';
import { codec, flag, number, oneOf, optional, text, texts } from '../codec.ts';
import { webauthnChallengeKey } from '../keys.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';
import { approvalData } from './approvals.ts';

const challengeItem = codec<WebauthnChallenge>({
  hash: text('hash'),
  purpose: oneOf('purpose', ['register', 'authenticate']),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  rpId: text('rp_id'),
  challenge: text('challenge'),
  rawChallenge: optional(text('raw_challenge')),
  approvalData: optional(approvalData),
  userId: optional(text('user_id')),
  userName: optional(text('user_name')),
  userHandle: optional(text('user_handle')),
  isSilent: optional(flag('is_silent')),
  identifierHashes: texts('identifier_hashes'),
  loginHash: optional(text('login_hash')),
  expiresAt: number('expires_at'),
});

export function webauthnChallenges(table: Table): WebauthnChallenges {
  const store = singleUse(table, webauthnChallengeKey, challengeItem);
  return { ...store, putRegistration: store.put };
}
