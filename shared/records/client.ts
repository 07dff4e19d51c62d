import { dates, type Fields, type Json, text } from './field.ts';

export const clientSecretFields = {
  secretId: { kind: 'text', always: true, access: 'read' },
  /** SHA-256 of the secret, base64url; secrets have 256 bits, so a plain hash is the right one. */
  hash: { kind: 'text', always: true, access: 'none' },
  createdAt: dates.createdAt,
  /** UTC, such as `2026-11-28`. Absent: not used yet. */
  lastUsedOn: { kind: 'text', access: 'read' },
} as const satisfies Fields;

/** The `jti` of a token, or the ID of a secret that tokens were bought with. */
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
  /** Absent for a management client, which acts for the whole tenant. */
  applicationId: { kind: 'text', access: 'read', wire: 'app_id' },
  kind: { kind: 'choice', of: ['application', 'management'], always: true, access: 'read' },
  name: { kind: 'text', always: true },
  /** Absent, and no roles either: all permissions of its application. */
  permissions: { kind: 'texts' },
  /** Roles of its application: what they permit is added to its own permissions. */
  roles: { kind: 'texts' },
  /** Its `client_attributes.ip_address` is believed. */
  trusted: isOff,
  /** How it proves who it is; `none` is a public client (RFC 6749 §2.1). */
  authMethod: { kind: 'choice', of: ['secret', 'private_key_jwt', 'none'], default: 'secret' },
  /** Public keys that verify its assertions. */
  jwks: { kind: 'json' } as Json<{ readonly keys: readonly PublicJwk[] }>,
  /** The audience of its assertions must be the issuer as a single string (FAPI 2.0 Security Profile §5.3.2.1). */
  strictAudience: isOff,
  /** Public clients need PKCE without this too. */
  requirePkce: isOff,
  requirePushedRequests: isOff,
  /** At `/v1/token`, a code of `/oidc/auth` needs its verifier or redirect URI, even if the client pushed the request. */
  boundCodes: isOff,
  /** Gets `offline_access` with `prompt=consent` alone. */
  offlineAccessNeedsConsent: isOff,
  /** Gets tokens bound to a key, or none (RFC 9449 §5.2). */
  dpopBound: isOff,
  /** Its proofs must carry a nonce of ours (RFC 9449 §8). */
  dpopNonce: isOff,
  /** FAPI 2.0 Security Profile; the settings that it demands are those of the record. */
  profile: { kind: 'choice', of: ['fapi2'] },
  /** What `acr_values` of its requests means. */
  acrValues: { kind: 'choice', of: ['require', 'prefer'], default: 'require' },
  /** Told of sessions that end (OpenID Connect Back-Channel Logout 1.0 §2.2). */
  backchannelLogoutUri: { ...text, called: true },
  /** Kept for who reads the record: every logout token has `sid`. */
  backchannelLogoutSessionRequired: isOff,
  /** False only where it proves itself by a key. */
  refreshTokenRotation: { kind: 'flag', default: true },
  /** How its tokens are signed, access tokens too (RFC 7518 §3.1). */
  idTokenSignedResponseAlg: { kind: 'choice', of: ['RS256', 'PS256', 'ES256'], default: 'RS256' },
  accessTokenSeconds: { kind: 'number', wire: 'access_token_ttl' },
  refreshTokenSeconds: { kind: 'number', wire: 'refresh_token_ttl' },
  maxRefreshRotateSeconds: { kind: 'number', wire: 'max_refresh_rotate' },
  secrets: { kind: 'records', of: clientSecretFields, always: true, access: 'read' },
  /** Only in the answer that made it. */
  clientSecret: { kind: 'text', access: 'answer' },
  /** Revoked tokens and secrets, until the last token of each has expired. */
  revoked: { kind: 'records', of: revokedIdFields, access: 'none' },
  /** Tokens that were issued until then are refused: more were revoked than are kept. */
  tokensAfter: { kind: 'number', access: 'none' },
  ...dates,
} as const satisfies Fields;
