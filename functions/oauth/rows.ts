import {
  CLIENT_TOKEN_SECONDS,
  PUBLIC_CACHE_SECONDS,
  PUSHED_REQUEST_SECONDS,
  REFRESH_GRACE_SECONDS,
} from '../../shared/domain/basis/limits.ts';
import { EXECUTE } from '../../shared/domain/oauth/permission-sets.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { CHANGE_CLIENT, COMPLETE_LOGIN, DIRECTORY, NEW_USER, OWN_USER } from '../../shared/ports/verbs.ts';
import {
  AuthorizationQuery,
  PushedRequestForm,
  PushedRequestResponse,
} from '../../shared/schemas/authorization.ts';
import { JwksResponse, MetadataResponse } from '../../shared/schemas/meta.ts';
import {
  IntrospectionResponse,
  RefreshBody,
  RefreshResponse,
  RetrieveTokensBody,
  RetrieveTokensResponse,
  RevocationResponse,
  TokenEndpointResponse,
  TokenForm,
  TokenRequestForm,
  UserInfoResponse,
} from '../../shared/schemas/tokens.ts';

/** Section D, the exchange of codes, and the life of tokens. */

/** The verbs of an exchange: it may join a session, start one, or make a user. */
const EXCHANGE = [
  ...COMPLETE_LOGIN,
  ...NEW_USER,
  'codes.find',
  'codes.consume',
  'codes.giveBack',
  'codes.keepConsumed',
  'identifiers',
  'replays',
  'revokedTokens.revoke',
  'sessions.forbid',
  'sessions.endAllOf',
  'passkeyRecords.reserve',
  'passkeyRecords.put',
  'rpIds',
] as const;

/** The verbs of the exchange of a session of another system. */
const MOVE_SESSION = [
  'formerIssuers.find',
  'moves.take',
  'moves.giveBack',
  'membershipRecords.listOfUser',
  'guesses.areFull',
  'otps.locksOf',
] as const;

const endpoint = {
  method: 'POST',
  reach: 'api',
  auth: 'client-secret',
  cors: 'none',
  dialect: 'oauth',
} as const;

/** What a browser opens. */
const browser = {
  section: 'F',
  path: '/oidc/auth',
  file: 'oauth/authorization/authorize',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  output: { status: 303, html: true },
  dialect: 'oauth',
  errorPage: 'request',
} as const;

/** What anyone may read, and keep for a while. */
const metadata = {
  method: 'GET',
  file: 'oauth/metadata',
  reach: 'api',
  auth: 'none',
  cors: 'any',
  input: {},
  dialect: 'oauth',
  errors: [],
} as const;

export const pushRequest = {
  ...endpoint,
  section: 'F',
  path: '/oidc/request',
  event: 'browser/push-request',
  file: 'oauth/authorization/push-request',
  summary: 'Takes the parameters of a later authorization request',
  description: `Keeps the parameters of an authorization request, so that none stands in the address of the browser (RFC 9126). It needs client authentication, an allowed \`redirect_uri\` and \`response_type=code\`. Send the browser to \`/oidc/auth\` with \`client_id\` and the \`request_uri\` of the answer within ${PUSHED_REQUEST_SECONDS} seconds. What \`/oidc/auth\` would refuse is 400 here.`,
  input: { form: PushedRequestForm },
  output: { status: 200, json: PushedRequestResponse },
  dialect: 'oauth-list',
  errors: [
    'invalid_client',
    'redirect_uri_not_allowed',
    'resource_not_found',
    'unsupported_response_type',
    'request_not_supported',
    'access_denied',
    'rate_limited',
    'invalid_dpop_proof',
    'use_dpop_nonce',
  ],
  uses: [...DIRECTORY, 'resources', 'windows.count', 'replays', 'nonceMac', 'pushedRequests.put'],
} as const satisfies OperationRow;

export const pushRequestRfc9126 = {
  ...pushRequest,
  path: '/oidc/par',
  event: 'browser/push-request-rfc9126',
  summary: 'Takes the parameters of a later authorization request, with the status of RFC 9126',
  description: `The same as \`/oidc/request\`, with status 201: clients of RFC 9126 take no 200 for a success. It needs client authentication, an allowed \`redirect_uri\` and \`response_type=code\`. The \`request_uri\` of the answer counts once, for ${PUSHED_REQUEST_SECONDS} seconds. What \`/oidc/auth\` would refuse is 400 here.`,
  operationId: 'pushAuthorizationRequest',
  output: { status: 201, json: PushedRequestResponse },
} as const satisfies OperationRow;

export const authorize = {
  ...browser,
  method: 'GET',
  event: 'browser/authorize',
  summary: 'The authorization endpoint: leads a browser through a login to a code',
  description:
    'Open it in the browser of the user, with the parameters or the `request_uri` of a pushed request. The user logs in on hosted pages, unless the session of the browser suffices, and comes back to `redirect_uri` with `code`, `state` and `iss`. A bad client or redirect URI is 400, every other error goes to the redirect URI.',
  input: { query: AuthorizationQuery },
  errors: ['redirect_uri_not_allowed', 'request_uri_not_supported', 'request_uri_spent'],
  canary: true,
  uses: [
    ...DIRECTORY,
    'signingKeys',
    'resources',
    'resourcesOfTenant',
    'uriOwnerRecords.find',
    'applicationsOfTenant',
    'clientDocuments.find',
    'clientDocuments.put',
    'windows.count',
    'consents.find',
    'pushedRequests.spend',
    'sessions.find',
    'users.find',
    'memberships',
    'organizations',
    'codes.put',
    'loginTransactions.put',
    'loginTransactions.find',
    'loginTransactions.skip',
    'upstreamLogins.put',
  ],
} as const satisfies OperationRow;

export const authorizeByPost = {
  ...browser,
  method: 'POST',
  event: 'browser/authorize-by-post',
  summary: 'The authorization endpoint by POST: keeps the request and leads on by GET',
  description:
    'Takes an authorization request as a form, for parameters that are too long for an address. The request is kept and the browser led on to `/oidc/auth` by GET. A bad client or redirect URI is 400.',
  input: { form: AuthorizationQuery },
  errors: ['redirect_uri_not_allowed'],
  uses: [...DIRECTORY, 'pushedRequests.put'],
} as const satisfies OperationRow;

export const token = {
  ...endpoint,
  section: 'D',
  path: '/oidc/token',
  file: 'oauth/token',
  summary: 'Issues tokens: client credentials, authorization code, refresh token, token exchange',
  description: `Issues a token of the client (\`client_credentials\`), or exchanges the code or refresh token of a user, or an ID token of the system that an operator has imported them from. It needs client authentication: secret, assertion, or only the ID of a public client. A client token lives ${CLIENT_TOKEN_SECONDS} seconds by default; a user also gets an ID token. A code or token that is wrong, used or expired is 400 \`invalid_grant\`.`,
  cors: 'any',
  input: { form: TokenRequestForm },
  output: { status: 200, json: TokenEndpointResponse },
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
    'provider_unavailable',
  ],
  canary: true,
  uses: [
    ...DIRECTORY,
    'windows.count',
    'nonceMac',
    ...EXCHANGE,
    'sessions.rotate',
    'sessions.renew',
    ...MOVE_SESSION,
    'consents.use',
  ],
} as const satisfies OperationRow;

export const retrieveTokens = {
  ...endpoint,
  section: 'C',
  path: '/v1/token',
  file: 'oauth/retrieve-tokens',
  summary: 'Exchanges a code for the tokens of the user, and makes the user where a sign-up was pending',
  description:
    'Exchanges a code from a redirect URI for the tokens of the user, as JSON. It needs client ID and secret, and `code_verifier` or `redirect_uri` where the client has `bound_codes`. Where a sign-up was pending, the user is made now and `is_user_created` is true. A code that is wrong, used or expired is 400.',
  input: { json: RetrieveTokensBody },
  output: { status: 200, json: RetrieveTokensResponse },
  dialect: 'numeric-list',
  errors: [
    'invalid_client',
    'unauthorized_client',
    'invalid_grant',
    'resource_not_found',
    'invalid_dpop_proof',
    'use_dpop_nonce',
    'rate_limited',
  ],
  audit: 'login.succeeded',
  takesCredential: true,
  canary: true,
  uses: [...DIRECTORY, 'windows.count', 'nonceMac', ...EXCHANGE],
} as const satisfies OperationRow;

export const refresh = {
  ...endpoint,
  section: 'sessions',
  path: '/v1/auth/token/refresh',
  file: 'oauth/refresh',
  summary: 'Issues new tokens for a refresh token, which a successor replaces',
  description: `Issues new tokens for a refresh token, which its successor replaces, unless \`refresh_token_rotation\` of the client is false. For ${REFRESH_GRACE_SECONDS} seconds a repeated call gets the same answer, later another successor while the first one is unused. Any other use of an old token ends all tokens of that login. Such a token, and one of another client, is 400.`,
  auth: 'client',
  permissions: EXECUTE,
  input: { json: RefreshBody },
  output: { status: 200, json: RefreshResponse },
  dialect: 'numeric',
  errors: ['invalid_grant', 'resource_not_found', 'invalid_dpop_proof', 'use_dpop_nonce'],
  uses: [
    'clients',
    'replays',
    'nonceMac',
    'sessions.find',
    'sessions.rotate',
    'sessions.renew',
    'sessions.endFamily',
    'users.find',
    'memberships',
    'organizations',
    'resources',
    'signingKeys',
    'signer',
  ],
} as const satisfies OperationRow;

export const revocation = {
  ...endpoint,
  section: 'revocation',
  path: '/oidc/token/revocation',
  file: 'oauth/revocation',
  summary: 'Takes a token back before its time (RFC 7009)',
  description:
    'Takes a refresh token back with all that came from the same login, or a single access token (RFC 7009). It needs client authentication. Unknown and foreign tokens are 200 as well; an ID token is 400 `unsupported_token_type`.',
  cors: 'any',
  input: { form: TokenForm },
  output: { status: 200, json: RevocationResponse },
  errors: ['invalid_client', 'unsupported_token_type', 'rate_limited'],
  audit: 'token.revoked',
  uses: [
    ...DIRECTORY,
    'windows.count',
    'replays',
    'sessions.find',
    'sessions.endFamily',
    'revokedTokens.revoke',
    ...CHANGE_CLIENT,
    'signingKeys',
  ],
} as const satisfies OperationRow;

export const introspection = {
  ...endpoint,
  section: 'introspection',
  path: '/oidc/token/introspection',
  file: 'oauth/introspection',
  summary: 'Tells whether a token is active, and what it says (RFC 7662)',
  description:
    'Tells whether a token is good at this moment, and its claims (RFC 7662). It needs client authentication, and a client that can keep a secret. Tokens of other applications, and all that are not good, are `{"active":false}`.',
  input: { form: TokenForm },
  output: { status: 200, json: IntrospectionResponse },
  errors: ['invalid_client', 'rate_limited'],
  uses: [
    ...['applications', 'tenants', 'consents.find', 'windows.count', 'replays', 'signingKeys'],
    ...OWN_USER,
  ] as const,
} as const satisfies OperationRow;

export const userInfo = {
  section: 'userinfo',
  method: ['GET', 'POST'],
  path: '/oidc/me',
  file: 'oauth/user-info',
  reach: 'api',
  summary: 'Shows the user of an access token (OpenID Connect UserInfo)',
  description:
    'Answers the claims of the user of an access token (OpenID Connect Core §5.3). It needs a token with the scope `openid`, for the default audience or of a client by document; `profile`, `email`, `phone` and `claims.userinfo` of the login add claims. A token whose session has ended is 401.',
  auth: 'user',
  cors: 'any',
  input: {},
  output: { status: 200, json: UserInfoResponse },
  dialect: 'oauth',
  errors: [],
  takesConsented: true,
  uses: [...OWN_USER, 'applications', 'consents.find'],
} as const satisfies OperationRow;

export const jwks = {
  ...metadata,
  section: 'keys',
  path: '/oidc/jwks',
  summary: 'The public keys that tokens verify with (RFC 7517)',
  description: `Answers the public keys that ID tokens and access tokens verify with, the next key before it signs. It needs no token, and may be cached for ${PUBLIC_CACHE_SECONDS} seconds.`,
  output: { status: 200, json: JwksResponse, public: true },
  uses: ['signingKeys'],
} as const satisfies OperationRow;

export const discovery = {
  ...metadata,
  section: 'discovery',
  path: ['/oidc/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/cis/oidc'],
  summary: 'Metadata of the issuer (OpenID Connect Discovery, RFC 8414)',
  description: `Answers the endpoints of the issuer and what they support. It needs no token, and may be cached for ${PUBLIC_CACHE_SECONDS} seconds.`,
  output: { status: 200, json: MetadataResponse, public: true },
  uses: [],
} as const satisfies OperationRow;
