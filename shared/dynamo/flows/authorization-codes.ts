import { CONSUMED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { AuthorizationCode, AuthorizationCodes, CodeOwner } from '../../ports/authorization.ts';
import { codec, flag, maps, number, oneOf, optional, text, texts } from '../codec.ts';
import { authorizationCodeKey } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';
import { approvalData } from './approvals.ts';
import { methodUse } from './session-item.ts';

const authorizationCodeItem = codec<AuthorizationCode>({
  hash: text('hash'),
  origin: oneOf('origin', ['oidc', 'browser', 'code-based']),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  redirectUri: text('redirect_uri'),
  state: optional(text('state')),
  codeChallenge: optional(text('code_challenge')),
  provenClient: optional(flag('proven_client')),
  nonce: optional(text('nonce')),
  scope: text('scope'),
  offlineAccess: flag('offline_access'),
  resources: texts('resources'),
  consentId: optional(text('consent_id')),
  claims: optional(text('claims')),
  idTokenClaims: optional(oneOf('id_token_claims', ['requested'])),
  organizationId: optional(text('organization_id')),
  dpopJkt: optional(text('dpop_jkt')),
  approvalData: optional(approvalData),
  userId: text('user_id'),
  sealedSignUp: optional(text('sealed_sign_up')),
  sealedArtifacts: optional(text('sealed_artifacts')),
  methods: maps('methods', methodUse),
  authTime: number('auth_time'),
  deliveredToHash: optional(text('delivered_to_hash')),
  userAgent: optional(text('user_agent')),
  ipAddress: optional(text('ip_address')),
  requireMfa: optional(flag('require_mfa')),
  sessionId: text('session_id'),
  startsSession: flag('starts_session'),
  familyId: text('family_id'),
  issuedAt: number('issued_at'),
  expiresAt: number('expires_at'),
  consumedAt: optional(number('consumed_at')),
  generation: number('generation'),
});

const USABLE = 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at';
const EXCHANGEABLE = '(attribute_not_exists(#require_mfa) OR #require_mfa <> :yes)';
const FIRST_FACTOR = '#require_mfa = :yes';

const toAttributes = (code: AuthorizationCode) => ({
  ...authorizationCodeItem.toAttributes(code),
  purge_at: Math.max(code.expiresAt, code.issuedAt + CONSUMED_KEPT_SECONDS),
});

/** Creates the store of authorization codes. Each code is one item, with the hash of the code as its key. */
export function authorizationCodes(table: Table): AuthorizationCodes {
  function use(
    hash: string,
    at: number,
    condition: string,
    { owner, by }: { readonly owner?: CodeOwner | undefined; readonly by?: string | undefined } = {},
  ): Promise<boolean> {
    return table.change(authorizationCodeKey(hash), {
      condition: `${USABLE} AND ${condition}`,
      set: {
        consumed_at: at,
        purge_at: at + CONSUMED_KEPT_SECONDS,
        ...(owner ? { user_id: owner.userId, session_id: owner.sessionId } : {}),
      },
      // Keep the item without personal data, so that a replay of the code is detected.
      remove: ['#sealed_sign_up', '#sealed_artifacts', '#user_agent', '#ip_address'],
      values: { at, yes: true },
      tokenAttribute: 'consumed_by',
      token: by,
    });
  }

  return {
    async put(code) {
      // The condition fails only if the SDK repeats this write. A code that was used in the meantime must not become valid
      // again.
      await table.put(
        { ...authorizationCodeKey(code.hash), ...toAttributes(code) },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    find: (hash) => readRecord(table, authorizationCodeKey(hash), authorizationCodeItem),

    consume: (hash, at, owner, by) => use(hash, at, EXCHANGEABLE, { owner, by }),

    async undoConsume(code, holder) {
      await table.undo(authorizationCodeKey(code.hash), holder, { set: toAttributes(code) });
    },

    finalizeConsumption: (hash) =>
      table.change(authorizationCodeKey(hash), {
        condition: 'attribute_exists(#consumed_by)',
        tokenAttribute: 'consumed_by',
      }),

    spend: (hash, at) => use(hash, at, FIRST_FACTOR),

    upgrade: (hash, { methods, sessionId, startsSession, expiresAt, at }) =>
      table.change(authorizationCodeKey(hash), {
        condition: `${USABLE} AND ${FIRST_FACTOR}`,
        set: {
          methods: methods.map(methodUse.toAttributes),
          session_id: sessionId,
          starts_session: startsSession,
          expires_at: expiresAt,
          purge_at: Math.max(expiresAt, at + CONSUMED_KEPT_SECONDS),
        },
        remove: ['#require_mfa'],
        values: { at, yes: true },
        tokenAttribute: 'upgraded_by',
      }),
  };
}
