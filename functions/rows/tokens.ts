import type { Operation } from '../../shared/operation.ts';
import { JwksResponse, MetadataResponse } from '../../shared/schemas/meta.ts';
import {
  RefreshBody,
  RefreshResponse,
  RetrieveTokensBody,
  RetrieveTokensResponse,
  TokenEndpointResponse,
  TokenRequestForm,
} from '../../shared/schemas/tokens.ts';

/** Section D, the exchange of codes, and what becomes of tokens. */

/** What the exchange of a code reaches: it may join a session, start one, or make a user. */
const EXCHANGE = [
  'codes',
  'replays',
  'revokedTokens',
  'sessions',
  'users',
  'memberships',
  'resources',
  'otps',
  'userRecords',
  'identifierClaims',
  'signingKeys',
  'signer',
] as const;

export const token = {
  section: 'D',
  method: 'POST',
  path: '/oidc/token',
  entry: 'tokens/token',
  reach: 'api',
  summary: 'Issues tokens: client credentials, authorization code, refresh token',
  auth: 'client-secret',
  cors: 'any',
  input: { form: TokenRequestForm },
  output: { status: 200, json: TokenEndpointResponse },
  dialect: 'oauth',
  errors: [
    'invalid_client',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_grant',
    'invalid_scope',
    'resource_not_found',
    'invalid_dpop_proof',
    'use_dpop_nonce',
    'rate_limited',
  ],
  uses: ['clients', 'applications', 'tenants', 'windows', 'codeMac', ...EXCHANGE],
} as const satisfies Operation;

export const retrieveTokens = {
  section: 'C',
  method: 'POST',
  path: '/v1/token',
  entry: 'tokens/retrieve-tokens',
  reach: 'api',
  summary: 'Exchanges a code for the tokens of the user, and makes the user where a sign-up was pending',
  auth: 'client-secret',
  cors: 'none',
  input: { json: RetrieveTokensBody },
  output: { status: 200, json: RetrieveTokensResponse },
  dialect: 'numeric',
  errors: [
    'invalid_client',
    'unauthorized_client',
    'invalid_grant',
    'resource_not_found',
    'invalid_dpop_proof',
    'use_dpop_nonce',
    'rate_limited',
  ],
  uses: ['clients', 'applications', 'tenants', 'windows', 'codeMac', ...EXCHANGE],
} as const satisfies Operation;

export const refresh = {
  section: 'sessions',
  method: 'POST',
  path: '/v1/auth/token/refresh',
  entry: 'tokens/refresh',
  reach: 'api',
  summary: 'Issues new tokens for a refresh token, which a successor replaces',
  auth: 'client',
  permissions: ['apps:execute', '[appId]:execute', 'auth:execute'],
  cors: 'none',
  input: { json: RefreshBody },
  output: { status: 200, json: RefreshResponse },
  dialect: 'numeric',
  errors: ['invalid_grant', 'resource_not_found', 'invalid_dpop_proof', 'use_dpop_nonce'],
  uses: [
    'clients',
    'replays',
    'codeMac',
    'sessions',
    'users',
    'memberships',
    'resources',
    'signingKeys',
    'signer',
  ],
} as const satisfies Operation;

export const jwks = {
  section: 'keys',
  method: 'GET',
  path: '/oidc/jwks',
  entry: 'tokens/jwks',
  reach: 'api',
  summary: 'The public keys that tokens verify with (RFC 7517)',
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 200, json: JwksResponse, public: true },
  dialect: 'oauth',
  errors: [],
  uses: ['signingKeys'],
} as const satisfies Operation;

export const discovery = {
  section: 'discovery',
  method: 'GET',
  path: ['/oidc/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/cis/oidc'],
  entry: 'tokens/discovery',
  reach: 'api',
  summary: 'Metadata of the issuer (OpenID Connect Discovery, RFC 8414)',
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 200, json: MetadataResponse, public: true },
  dialect: 'oauth',
  errors: [],
  uses: [],
} as const satisfies Operation;
