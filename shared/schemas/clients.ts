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
import { described, doc, sample } from './fields/described.ts';
import { schemasOf } from './fields/of-record.ts';
import {
  accessSeconds,
  applicationId,
  id,
  listOf,
  name,
  permissions,
  refreshSeconds,
  resultOf,
  roleNames,
  tenantId,
  uri,
} from './fields/record.ts';

/** Credentials that act for an application, or for the whole tenant. */

const idOfClient = doc('ID of the client.', '2m8xk0vz5t1w9qd7r3hyc6bnp');
const idOfSecret = doc('ID of the secret; the secret itself is not stored.', '1qv7d0zk3m9x5wt2r8hcy4bnp');
const secret = schemasOf(clientSecretFields, {
  secretId: idOfSecret,
  lastUsedOn: doc(
    'The last day, in UTC, on which the client has shown it; absent: none yet. What was bought with it does not count.',
    '2026-11-27',
  ),
});

/** RFC 7517; which keys are good is for the rules to say. */
const jwk = v.looseObject({
  kty: described(v.string(), doc('Type of the key, beside the further members that this type has.', 'EC')),
});
const keys = v.pipe(v.array(jwk), v.minLength(1), v.maxLength(CLIENT_KEYS_MAX));
const wordsOfKeys = doc(
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
const jwksOf = <const Keys extends v.GenericSchema>(set: Keys) =>
  v.object({ keys: described(set, wordsOfKeys) });

const client = schemasOf(clientFields, {
  clientId: idOfClient,
  tenantId,
  applicationId,
  kind: doc('What it acts for: an application, or the whole tenant (`management`).', 'application'),
  name: [name, doc(`Name for operators. At most ${NAME_MAX} characters.`, 'Shop backend')],
  permissions: [
    permissions,
    doc(
      `What it may do, such as \`[appId]:execute\`, or \`users:edit\`, which reaches the users of every application (default: everything in its application and with the users of it alone, unless it has roles). At most ${PERMISSIONS_MAX}. A management client has none, for it may do everything in its tenant.`,
      ['users:read', '[appId]:execute'],
    ),
  ],
  roles: [
    roleNames(ROLES_MAX),
    doc(
      `Roles of its application, which add their permissions (default: none). At most ${ROLES_MAX}. A management client has none.`,
      ['support'],
    ),
  ],
  trusted: doc(
    'Whether the network addresses that it reports in `client_attributes` are believed: sends and tries at codes count for them (default: false).',
    false,
  ),
  authMethod: doc(
    'How it proves who it is (default: `secret`): a secret, assertions by `private_key_jwt` (RFC 7523), or `none` for a public client. A management client is never public.',
    'secret',
  ),
  jwks: [
    { create: jwksOf(keys), record: jwksOf(v.array(jwk)) },
    doc('Public keys of `private_key_jwt`, as a JSON Web Key Set (RFC 7517). Required with that method.'),
  ],
  strictAudience: doc(
    'Whether its assertions must name the issuer alone as audience (default: false).',
    false,
  ),
  requirePkce: doc(
    'Whether its logins need PKCE (default: false). Those of a public client always do.',
    true,
  ),
  requirePushedRequests: doc(
    'Whether its logins begin with a pushed authorization request (default: false).',
    false,
  ),
  boundCodes: doc(
    'Whether /v1/token takes all codes of /oidc/auth with `code_verifier` or `redirect_uri` alone (default: false). Without it the code of a pushed request that had no challenge needs neither.',
    true,
  ),
  offlineAccessNeedsConsent: doc(
    'Whether `offline_access` gives it a refresh token with `prompt=consent` alone (default: false).',
    false,
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
  backchannelLogoutUri: [
    uri,
    doc(
      'Where it is told of sessions that end (OpenID Connect Back-Channel Logout): `https`, at a public address. Its ID tokens have `sid` then.',
      'https://shop.example.com/backchannel-logout',
    ),
  ],
  backchannelLogoutSessionRequired: doc(
    'Whether its logout tokens need `sid` (default: false). They always have it.',
    true,
  ),
  refreshTokenRotation: doc(
    'Whether a successor replaces its refresh tokens at each use (default: true). Without that it needs `private_key_jwt`, or a secret with `dpop_bound`.',
    true,
  ),
  idTokenSignedResponseAlg: doc(
    'How its ID tokens and access tokens are signed (default: RS256). PS256 is of the same RSA key; ES256 has one of its own, where the environment has it.',
    'PS256',
  ),
  accessTokenSeconds: [
    accessSeconds,
    doc(
      `Lifetime of access tokens in seconds where a resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS} (default: ${ACCESS_TOKEN_SECONDS}). At most ${CLIENT_TOKEN_SECONDS} for a management client.`,
      ACCESS_TOKEN_SECONDS,
    ),
  ],
  refreshTokenSeconds: [
    refreshSeconds,
    doc(
      `Lifetime of a refresh token in seconds where a resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS} (default: ${REFRESH_TOKEN_SECONDS}).`,
      REFRESH_TOKEN_SECONDS,
    ),
  ],
  maxRefreshRotateSeconds: [
    refreshSeconds,
    doc(
      `How long a login can be refreshed in all, in seconds where a resource sets none, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS} (default: ${REFRESH_FAMILY_SECONDS}).`,
      REFRESH_FAMILY_SECONDS,
    ),
  ],
  secrets: [
    { create: v.never(), record: v.array(secret.record) },
    doc(`Its secrets that work, oldest first: at most ${CLIENT_SECRETS_MAX}, without their values.`),
  ],
  clientSecret: doc(
    'The secret, only in the answer that made it.',
    'Zr4u7x-A1D9FqJcNfRjWmZq4t7w2zCkEKaPdSgVkXpQ',
  ),
});

export const CreateClientBody = described(client.create, sample('name', 'auth_method', 'access_token_ttl'));
export const UpdateClientBody = described(client.update, sample('name', 'access_token_ttl'));
export const ClientRecord = described(
  client.record,
  doc('Credentials that act for an application, or for the whole tenant.'),
);
export const ClientResponse = resultOf(ClientRecord);
const clientId = described(id, idOfClient);
const secretId = described(id, idOfSecret);
const appId = described(id, applicationId);
export const ClientIdPath = v.object({ appId, clientId });
export const ClientSecretPath = v.object({ appId, clientId, secretId });
export const ClientListResponse = listOf(ClientRecord);
export const ManagementClientPath = v.object({ clientId });
export const ManagementClientSecretPath = v.object({ clientId, secretId });
