import * as v from 'valibot';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_KEYS_MAX,
  CLIENT_SECRETS_MAX,
  CLIENT_TOKEN_SECONDS,
  NAME_MAX,
  PERMISSIONS_MAX,
  REFRESH_FAMILY_SECONDS,
  REFRESH_TOKEN_SECONDS,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
  ROLES_MAX,
  RSA_BITS_MAX,
  RSA_BITS_MIN,
} from '../domain/basis/limits.ts';
import { clientFields, clientSecretFields } from '../records/client.ts';
import { describe, described, sample } from './fields/described.ts';
import { createSchemas } from './fields/of-record.ts';
import {
  accessSeconds,
  applicationId,
  id,
  name,
  permissions,
  refreshSeconds,
  roleNames,
  tenantId,
  toPage,
  toResult,
  uri,
} from './fields/record.ts';

// Schemas of clients: credentials that act for an application or for the whole tenant.

const idOfClient = describe('ID of the client.', '2m8xk0vz5t1w9qd7r3hyc6bnp');
const idOfSecret = describe(
  'ID of the secret; the secret itself is not stored.',
  '1qv7d0zk3m9x5wt2r8hcy4bnp',
);
const secret = createSchemas(clientSecretFields, {
  secretId: idOfSecret,
  lastUsedOn: describe(
    'Last day (UTC) on which the client has used the secret. Absent: not used yet. Tokens obtained with it are not counted as use.',
    '2026-11-27',
  ),
});

/** Public key as a JWK (RFC 7517). The domain layer decides which keys are accepted. */
const jwk = v.looseObject({
  kty: described(v.string(), describe('Type of the key, with the other members of this type.', 'EC')),
});
const keys = v.pipe(v.array(jwk), v.minLength(1), v.maxLength(CLIENT_KEYS_MAX));
const wordsOfKeys = describe(
  `1 to ${CLIENT_KEYS_MAX} public keys for signatures: RSA of ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits, P-256, P-384, P-521 or Ed25519.`,
  [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      use: 'sig',
      kid: '2026-01',
    },
  ],
);
const jwksSchema = <const Keys extends v.GenericSchema>(set: Keys) =>
  v.object({ keys: described(set, wordsOfKeys) });

const client = createSchemas(clientFields, {
  clientId: idOfClient,
  tenantId,
  applicationId,
  kind: describe(
    'What the client acts for: an application, or the whole tenant (`management`).',
    'application',
  ),
  name: [name, describe(`Name for operators. At most ${NAME_MAX} characters.`, 'Shop backend')],
  permissions: [
    permissions,
    describe(
      `Permissions of the client, such as \`[appId]:execute\`, or \`users:edit\`, which covers the users of every application (default: everything in its own application and only with that application's users, unless it has roles). At most ${PERMISSIONS_MAX}. A management client has no list, because it may do everything in its tenant.`,
      ['users:read', '[appId]:execute'],
    ),
  ],
  roles: [
    roleNames(ROLES_MAX),
    describe(
      `Roles of the client's application, whose permissions are added to the client's (default: none). At most ${ROLES_MAX}. A management client has none.`,
      ['support'],
    ),
  ],
  trusted: describe(
    'Whether the network addresses that the client reports in `client_attributes` are trusted, so that sends and code tries are counted for them (default: false).',
    false,
  ),
  authMethod: describe(
    'Authentication method of the client (default: `secret`): a secret, assertions with `private_key_jwt` (RFC 7523), or `none` for a public client. A management client is never public.',
    'secret',
  ),
  jwks: [
    { create: jwksSchema(keys), record: jwksSchema(v.array(jwk)) },
    describe(
      'Public keys for `private_key_jwt`, as a JSON Web Key Set (RFC 7517). Required with that method.',
    ),
  ],
  strictAudience: describe(
    "Whether the only audience of the client's assertions must be the issuer (default: false).",
    false,
  ),
  requirePkce: describe(
    "Whether the client's logins require PKCE (default: false). Those of a public client always do.",
    true,
  ),
  requirePushedRequests: describe(
    "Whether the client's logins must begin with a pushed authorization request (default: false).",
    false,
  ),
  boundCodes: describe(
    'Whether /v1/token requires `code_verifier` or `redirect_uri` for all codes of /oidc/auth (default: false). Otherwise the code of a pushed request without a challenge needs neither.',
    true,
  ),
  offlineAccessNeedsConsent: describe(
    'Whether the client gets a refresh token for `offline_access` only with `prompt=consent` (default: false).',
    false,
  ),
  dpopBound: describe('Whether the client gets only DPoP-bound tokens (RFC 9449; default: false).', false),
  dpopNonce: describe(
    "Whether the client's DPoP proofs need a nonce of the service (default: false).",
    false,
  ),
  profile: describe(
    'Security profile, which sets what FAPI 2.0 requires and refuses what it forbids: `private_key_jwt`, the issuer as audience, PKCE, pushed requests and DPoP, PS256, ES256 or Ed25519, no rotation.',
    'fapi2',
  ),
  acrValues: describe(
    "Meaning of `acr_values` in the client's requests (default: `require`). With `prefer`, a user without a second factor can still log in, and `acr` says what was used.",
    'prefer',
  ),
  backchannelLogoutUri: [
    uri,
    describe(
      "URL that is notified when a session ends (OpenID Connect Back-Channel Logout): `https`, at a public address. The client's ID tokens then contain `sid`.",
      'https://shop.example.com/backchannel-logout',
    ),
  ],
  backchannelLogoutSessionRequired: describe(
    'Whether the client requires `sid` in logout tokens (default: false). They always contain it.',
    true,
  ),
  refreshTokenRotation: describe(
    'Whether each use of a refresh token replaces it by a new one (default: true). Without rotation, the client needs `private_key_jwt`, or a secret with `dpop_bound`.',
    true,
  ),
  idTokenSignedResponseAlg: describe(
    "Signing algorithm of the client's ID tokens and access tokens (default: RS256). PS256 uses the same RSA key. ES256 uses its own key and is available only if the environment has it.",
    'PS256',
  ),
  accessTokenSeconds: [
    accessSeconds,
    describe(
      `Lifetime of access tokens in seconds if the resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS} (default: ${ACCESS_TOKEN_SECONDS}). At most ${CLIENT_TOKEN_SECONDS} for a management client.`,
      ACCESS_TOKEN_SECONDS,
    ),
  ],
  refreshTokenSeconds: [
    refreshSeconds,
    describe(
      `Lifetime of a refresh token in seconds if the resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS} (default: ${REFRESH_TOKEN_SECONDS}).`,
      REFRESH_TOKEN_SECONDS,
    ),
  ],
  maxRefreshRotateSeconds: [
    refreshSeconds,
    describe(
      `Total time in seconds during which a login can be refreshed if the resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS} (default: ${REFRESH_FAMILY_SECONDS}).`,
      REFRESH_FAMILY_SECONDS,
    ),
  ],
  secrets: [
    { create: v.never(), record: v.array(secret.record) },
    describe(
      `Valid secrets of the client without their values, oldest first. At most ${CLIENT_SECRETS_MAX}.`,
    ),
  ],
  clientSecret: describe(
    'Secret of the client, only in the answer that created it.',
    'Zr4u7x-A1D9FqJcNfRjWmZq4t7w2zCkEKaPdSgVkXpQ',
  ),
});

export const CreateClientBody = described(client.create, sample('name', 'auth_method', 'access_token_ttl'));
export const UpdateClientBody = described(client.update, sample('name', 'access_token_ttl'));
export const ClientRecord = described(
  client.record,
  describe('Credentials that act for an application, or for the whole tenant.'),
);
export const ClientResponse = toResult(ClientRecord);
const clientId = described(id, idOfClient);
const secretId = described(id, idOfSecret);
const appId = described(id, applicationId);
export const ClientIdPath = v.object({ appId, clientId });
export const ClientSecretPath = v.object({ appId, clientId, secretId });
export const ClientListResponse = toPage(ClientRecord);
export const ManagementClientPath = v.object({ clientId });
export const ManagementClientSecretPath = v.object({ clientId, secretId });
