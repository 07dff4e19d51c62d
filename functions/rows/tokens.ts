import type { Operation } from '../../shared/operation.ts';
import { JwksResponse, MetadataResponse } from '../../shared/schemas/meta.ts';
import { ClientTokenResponse, TokenRequestForm } from '../../shared/schemas/tokens.ts';

/** Section D and what verifies its tokens. */

export const token = {
  section: 'D',
  method: 'POST',
  path: '/oidc/token',
  entry: 'tokens/token',
  reach: 'api',
  summary: 'Issues a client access token (client credentials)',
  auth: 'client-secret',
  cors: 'none',
  input: { form: TokenRequestForm },
  output: { status: 200, json: ClientTokenResponse },
  dialect: 'oauth',
  errors: [
    'invalid_client',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
    'resource_not_found',
    'rate_limited',
  ],
  uses: ['clients', 'replays', 'applications', 'resources', 'windows', 'signingKeys', 'signer'],
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
