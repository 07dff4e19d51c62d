import * as v from 'valibot';
import { TOKEN_ALGORITHMS } from '../domain/basis/key-algorithms.ts';
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
import { described, doc, sample } from './fields/described.ts';
import {
  accessSeconds,
  applicationId,
  created,
  date,
  dates,
  field,
  id,
  listOf,
  name,
  permissions,
  refreshSeconds,
  resultOf,
  roleNames,
  shown,
  tenantId,
  uri,
} from './fields/record.ts';

/** Credentials that act for an application, or for the whole tenant. */

const words = {
  clientId: doc('ID of the client.', '2m8xk0vz5t1w9qd7r3hyc6bnp'),
  secretId: doc('ID of the secret; the secret itself is not stored.', '1qv7d0zk3m9x5wt2r8hcy4bnp'),
  name: doc(`Name for operators. At most ${NAME_MAX} characters.`, 'Shop backend'),
  permissions: doc(
    `What it may do, such as \`[appId]:execute\`, or \`users:edit\`, which reaches the users of every application (default: everything in its application and with the users of it alone, unless it has roles). At most ${PERMISSIONS_MAX}. A management client has none, for it may do everything in its tenant.`,
    ['users:read', '[appId]:execute'],
  ),
  roles: doc(
    `Roles of its application, which add their permissions (default: none). At most ${ROLES_MAX}. A management client has none.`,
    ['support'],
  ),
  trusted: doc(
    'Whether the network addresses that it reports in `client_attributes` are believed: sends and tries at codes count for them (default: false).',
    false,
  ),
  authMethod: doc(
    'How it proves who it is (default: `secret`): a secret, assertions by `private_key_jwt` (RFC 7523), or `none` for a public client. A management client is never public.',
    'secret',
  ),
  jwks: doc('Public keys of `private_key_jwt`, as a JSON Web Key Set (RFC 7517). Required with that method.'),
  keys: doc(
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
  ),
  keyType: doc('Type of the key, beside the further members that this type has.', 'EC'),
  strictAudience: doc(
    'Whether its assertions must name the issuer alone as audience (default: false).',
    false,
  ),
  requirePkce: doc(
    'Whether its logins need PKCE (default: false). Those of a public client always do.',
    true,
  ),
  requirePushed: doc('Whether its logins begin with a pushed authorization request (default: false).', false),
  boundCodes: doc(
    'Whether /v1/token takes codes of /oidc/auth with `code_verifier` or `redirect_uri` alone (default: true).',
    true,
  ),
  offlineAccessWithoutConsent: doc(
    'Whether `offline_access` gives it a refresh token without `prompt=consent` (default: false). For applications of your own.',
    true,
  ),
  dpopBound: doc('Whether it gets tokens bound to a key (RFC 9449) and no others (default: false).', false),
  dpopNonce: doc('Whether its DPoP proofs need a nonce of the service (default: false).', false),
  profile: doc(
    'Sets what FAPI 2.0 demands and refuses what it forbids: `private_key_jwt`, the issuer as audience, PKCE, pushed requests and DPoP, PS256, ES256 or Ed25519, no rotation.',
    'fapi2',
  ),
  acrValues: doc(
    'What `acr_values` means in its requests (default: `require`). With `prefer`, a user without a second factor logs in all the same, and `acr` says what was given.',
    'prefer',
  ),
  logoutUri: doc(
    'Where it is told of sessions that end (OpenID Connect Back-Channel Logout): `https`, at a public address. Its ID tokens have `sid` then.',
    'https://shop.example.com/backchannel-logout',
  ),
  logoutSession: doc('Whether its logout tokens need `sid` (default: false). They always have it.', true),
  refreshTokenRotation: doc(
    'Whether a successor replaces its refresh tokens at each use (default: true). Without that it needs `private_key_jwt`, or a secret with `dpop_bound`.',
    true,
  ),
  signedResponseAlg: doc(
    'How its ID tokens and access tokens are signed (default: RS256). PS256 is of the same RSA key; ES256 has one of its own, where the environment has it.',
    'PS256',
  ),
  accessTtl: doc(
    `Lifetime of access tokens in seconds where a resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS} (default: ${ACCESS_TOKEN_SECONDS}). At most ${CLIENT_TOKEN_SECONDS} for a management client.`,
    ACCESS_TOKEN_SECONDS,
  ),
  refreshTtl: doc(
    `Lifetime of a refresh token in seconds where a resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS} (default: ${REFRESH_TOKEN_SECONDS}).`,
    REFRESH_TOKEN_SECONDS,
  ),
  maxRotate: doc(
    `How long a login can be refreshed in all, in seconds where a resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS} (default: ${REFRESH_FAMILY_SECONDS}).`,
    REFRESH_FAMILY_SECONDS,
  ),
};

const authMethod = v.picklist(['secret', 'private_key_jwt', 'none']);
/** RFC 7517; which keys are good is for the rules to say. */
const jwk = v.looseObject({ kty: described(v.string(), words.keyType) });
const profile = v.picklist(['fapi2']);
const acrValues = v.picklist(['require', 'prefer']);
const keys = v.pipe(v.array(jwk), v.minLength(1), v.maxLength(CLIENT_KEYS_MAX));

const clientFields = {
  permissions: field(permissions, words.permissions),
  roles: field(roleNames(ROLES_MAX), words.roles),
  trusted: field(v.boolean(), words.trusted),
  auth_method: field(authMethod, words.authMethod),
  jwks: field(v.object({ keys: described(keys, words.keys) }), words.jwks),
  strict_audience: field(v.boolean(), words.strictAudience),
  require_pkce: field(v.boolean(), words.requirePkce),
  require_pushed_requests: field(v.boolean(), words.requirePushed),
  bound_codes: field(v.boolean(), words.boundCodes),
  offline_access_without_consent: field(v.boolean(), words.offlineAccessWithoutConsent),
  dpop_bound: field(v.boolean(), words.dpopBound),
  dpop_nonce: field(v.boolean(), words.dpopNonce),
  profile: field(profile, words.profile),
  acr_values: field(acrValues, words.acrValues),
  backchannel_logout_uri: field(uri, words.logoutUri),
  backchannel_logout_session_required: field(v.boolean(), words.logoutSession),
  refresh_token_rotation: field(v.boolean(), words.refreshTokenRotation),
  id_token_signed_response_alg: field(v.picklist(TOKEN_ALGORITHMS), words.signedResponseAlg),
  access_token_ttl: field(accessSeconds, words.accessTtl),
  refresh_token_ttl: field(refreshSeconds, words.refreshTtl),
  max_refresh_rotate: field(refreshSeconds, words.maxRotate),
};

export const CreateClientBody = described(
  v.object({ name: described(name, words.name), ...clientFields }),
  sample('name', 'auth_method', 'access_token_ttl'),
);
export const UpdateClientBody = described(
  v.object({ name: shown(name, words.name), ...clientFields }),
  sample('name', 'access_token_ttl'),
);
export type ClientFields = v.InferOutput<typeof UpdateClientBody>;
export const ClientRecord = described(
  v.object({
    client_id: described(v.string(), words.clientId),
    tenant_id: described(v.string(), tenantId),
    app_id: shown(v.string(), applicationId),
    kind: described(
      v.picklist(['application', 'management']),
      doc('What it acts for: an application, or the whole tenant (`management`).', 'application'),
    ),
    name: described(v.string(), words.name),
    permissions: shown(v.array(v.string()), words.permissions),
    roles: shown(v.array(v.string()), words.roles),
    trusted: described(v.boolean(), words.trusted),
    auth_method: described(authMethod, words.authMethod),
    jwks: shown(v.object({ keys: described(v.array(jwk), words.keys) }), words.jwks),
    strict_audience: described(v.boolean(), words.strictAudience),
    require_pkce: described(v.boolean(), words.requirePkce),
    require_pushed_requests: described(v.boolean(), words.requirePushed),
    bound_codes: described(v.boolean(), words.boundCodes),
    offline_access_without_consent: described(v.boolean(), words.offlineAccessWithoutConsent),
    dpop_bound: described(v.boolean(), words.dpopBound),
    dpop_nonce: described(v.boolean(), words.dpopNonce),
    profile: shown(profile, words.profile),
    acr_values: described(acrValues, words.acrValues),
    backchannel_logout_uri: shown(v.string(), words.logoutUri),
    backchannel_logout_session_required: described(v.boolean(), words.logoutSession),
    refresh_token_rotation: described(v.boolean(), words.refreshTokenRotation),
    id_token_signed_response_alg: described(v.picklist(['RS256', 'PS256', 'ES256']), words.signedResponseAlg),
    access_token_ttl: shown(v.number(), words.accessTtl),
    refresh_token_ttl: shown(v.number(), words.refreshTtl),
    max_refresh_rotate: shown(v.number(), words.maxRotate),
    secrets: described(
      v.array(
        v.object({
          secret_id: described(v.string(), words.secretId),
          created_at: described(date, created),
        }),
      ),
      doc(`Its secrets that work, oldest first: at most ${CLIENT_SECRETS_MAX}, without their values.`),
    ),
    client_secret: shown(
      v.string(),
      doc('The secret, only in the answer that made it.', 'Zr4u7x-A1D9FqJcNfRjWmZq4t7w2zCkEKaPdSgVkXpQ'),
    ),
    ...dates,
  }),
  doc('Credentials that act for an application, or for the whole tenant.'),
);
export type ClientRecord = v.InferOutput<typeof ClientRecord>;
export const ClientResponse = resultOf(ClientRecord);
const clientId = described(id, words.clientId);
const secretId = described(id, words.secretId);
const appId = described(id, applicationId);
export const ClientIdPath = v.object({ appId, clientId });
export const ClientSecretPath = v.object({ appId, clientId, secretId });
export const ClientListResponse = listOf(ClientRecord);
export const ManagementClientPath = v.object({ clientId });
export const ManagementClientSecretPath = v.object({ clientId, secretId });
