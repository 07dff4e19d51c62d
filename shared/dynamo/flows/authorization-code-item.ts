import type { AuthorizationCode } from '../../ports/authorization.ts';
import { type Codec, codec, flag, maps, number, oneOf, optional, text, texts } from '../codec.ts';
import { approvalData } from './approval-data.ts';
import { methodUse } from './session-item.ts';

export const authorizationCodeItem: Codec<AuthorizationCode> = codec<AuthorizationCode>({
  hash: text('hash'),
  origin: oneOf('origin', ['oidc', 'browser', 'code-based']),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  redirectUri: text('redirect_uri'),
  state: optional(text('state')),
  codeChallenge: optional(text('code_challenge')),
  nonce: optional(text('nonce')),
  scope: text('scope'),
  offlineAccess: flag('offline_access'),
  resources: texts('resources'),
  claims: optional(text('claims')),
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
  wokenAt: optional(number('woken_at')),
});
