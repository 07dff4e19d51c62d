import type { WebauthnChallenges } from '../../ports/signing.ts';
import {
  asJson,
  number,
  omitUndefined,
  oneOf,
  optionalJsonTexts,
  optionalText,
  text,
  texts,
} from '../attributes.ts';
import { webauthnChallengeKey } from '../keys.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';

const PURPOSES = ['register', 'authenticate'] as const;

export const webauthnChallenges = (table: Table): WebauthnChallenges =>
  singleUse(table, {
    key: webauthnChallengeKey,
    fromItem: (item) =>
      omitUndefined({
        hash: text(item, 'hash'),
        purpose: oneOf(item, 'purpose', PURPOSES),
        tenantId: text(item, 'tenant_id'),
        applicationId: text(item, 'application_id'),
        rpId: text(item, 'rp_id'),
        challenge: text(item, 'challenge'),
        rawChallenge: optionalText(item, 'raw_challenge'),
        approvalData: optionalJsonTexts(item, 'approval_data'),
        userId: optionalText(item, 'user_id'),
        userName: optionalText(item, 'user_name'),
        identifierHashes: texts(item, 'identifier_hashes'),
        loginHash: optionalText(item, 'login_hash'),
        expiresAt: number(item, 'expires_at'),
      }),
    toAttributes: (challenge) => ({
      purpose: challenge.purpose,
      tenant_id: challenge.tenantId,
      application_id: challenge.applicationId,
      rp_id: challenge.rpId,
      challenge: challenge.challenge,
      raw_challenge: challenge.rawChallenge,
      approval_data: asJson(challenge.approvalData),
      user_id: challenge.userId,
      user_name: challenge.userName,
      identifier_hashes: challenge.identifierHashes,
      login_hash: challenge.loginHash,
    }),
  });
