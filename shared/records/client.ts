import { dates, type Fields, type Json, text } from './field.ts';

export const clientSecretFields = {
  secretId: { kind: 'text', always: true, access: 'read' },
  /** SHA-256 of the secret, base64url. A hash without salt or key is sufficient, because secrets have 256 random bits. */
  hash: { kind: 'text', always: true, access: 'none' },
  createdAt: dates.createdAt,
  /** UTC date of the last use, such as `2026-11-28`. Undefined if the secret has not been used. */
  lastUsedOn: { kind: 'text', access: 'read', exported: false },
} as const satisfies Fields;

/** Revoked token or client secret: the `jti` of the token, or the ID of the secret. */
export const revokedIdFields = {
  id: { kind: 'text', always: true },
  until: { kind: 'number', always: true },
} as const satisfies Fields;

export interface PublicJwk {
  readonly kty: string;
  readonly [member: string]: unknown;
}

const isOff = { kind: 'flag', default: false } as const;

export const clientFields = {
  clientId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** ID of the client's application. Undefined for a management client, which acts for the whole tenant. */
  applicationId: { kind: 'text', access: 'read', wire: 'app_id' },
  kind: { kind: 'choice', of: ['application', 'management'], always: true, access: 'read' },
  name: { kind: 'text', always: true },
  /** Permissions of the client. If it has neither permissions nor roles, it has all permissions of its application. */
  permissions: { kind: 'texts' },
  /** Roles of the client's application that the client has. Their permissions are added to the client's own. */
  roles: { kind: 'texts' },
  /** True if the service trusts the field `client_attributes.ip_address` in requests from this client. */
  trusted: isOff,
  /** Authentication method. `none` makes the client a public client (RFC 6749 §2.1). */
  authMethod: { kind: 'choice', of: ['secret', 'private_key_jwt', 'none'], default: 'secret' },
  /** Public keys that verify the client's assertions. */
  jwks: { kind: 'json' } as Json<{ readonly keys: readonly PublicJwk[] }>,
  /** True if an assertion's `aud` must be the issuer as a single string (FAPI 2.0 Security Profile §5.3.2.1). */
  strictAudience: isOff,
  /** True if the client must use PKCE. Public clients must always use PKCE. */
  requirePkce: isOff,
  requirePushedRequests: isOff,
  /**
   * True if `/v1/token` requires the code verifier or redirect URI for codes issued by `/oidc/auth`, even after a pushed
   * authorization request.
   */
  boundCodes: isOff,
  /** True if the client gets the scope `offline_access` only with `prompt=consent`. */
  offlineAccessNeedsConsent: isOff,
  /** True if tokens are issued to the client only with a DPoP proof (RFC 9449 §5.2). */
  dpopBound: isOff,
  /** True if the client's DPoP proofs must contain a nonce of this service (RFC 9449 §8). */
  dpopNonce: isOff,
  /** Security profile of the client. Setting `fapi2` also sets the fields that the FAPI 2.0 Security Profile requires. */
  profile: { kind: 'choice', of: ['fapi2'] },
  /** Meaning of `acr_values` in the client's requests: required or only preferred. */
  acrValues: { kind: 'choice', of: ['require', 'prefer'], default: 'require' },
  /** URL that is notified when a session ends (OpenID Connect Back-Channel Logout 1.0 §2.2). */
  backchannelLogoutUri: { ...text, called: true },
  /** True if the client requires `sid` in logout tokens. The field has no effect, because every logout token contains `sid`. */
  backchannelLogoutSessionRequired: isOff,
  /** True if refresh tokens are rotated. Only clients that authenticate with a key may set it to false. */
  refreshTokenRotation: { kind: 'flag', default: true },
  /** Signing algorithm of ID tokens and access tokens (RFC 7518 §3.1). */
  idTokenSignedResponseAlg: { kind: 'choice', of: ['RS256', 'PS256', 'ES256'], default: 'RS256' },
  accessTokenSeconds: { kind: 'number', wire: 'access_token_ttl' },
  refreshTokenSeconds: { kind: 'number', wire: 'refresh_token_ttl' },
  maxRefreshRotateSeconds: { kind: 'number', wire: 'max_refresh_rotate' },
  secrets: { kind: 'records', of: clientSecretFields, always: true, access: 'read' },
  /** Client secret. Only the response that creates the secret contains it. */
  clientSecret: { kind: 'text', access: 'answer' },
  /** Revoked tokens and secrets. Each entry is kept until the last affected token has expired. */
  revoked: { kind: 'records', of: revokedIdFields, access: 'none', exported: false },
  /**
   * Time in epoch seconds. Tokens issued at or before this time are rejected. Set if more tokens were revoked than the record
   * can store.
   */
  tokensAfter: { kind: 'number', access: 'none', exported: false },
  ...dates,
} as const satisfies Fields;
