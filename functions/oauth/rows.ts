import {
  CLIENT_TOKEN_SECONDS,
  PUBLIC_CACHE_SECONDS,
  PUSHED_REQUEST_SECONDS,
  REFRESH_GRACE_SECONDS,
} from '../../shared/domain/basis/limits.ts';
import { EXECUTE_LOGINS } from '../../shared/domain/oauth/permission-sets.ts';
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

/** Store operations for exchanging a code. The exchange may join a session, start a session or create a user. */
const EXCHANGE = [
  ...COMPLETE_LOGIN,
  ...NEW_USER,
  'codes.find',
  'codes.consume',
  'codes.undoConsume',
  'codes.finalizeConsumption',
  'identifiers',
  'replays',
  'revokedTokens.revoke',
  'sessions.forbid',
  'sessions.endAllOf',
  'passkeyRecords.reserve',
  'passkeyRecords.put',
  'rpIds',
] as const;

/** Store operations for exchanging an ID token of another system for a session. */
const MOVE_SESSION = [
  'formerIssuers.find',
  'sessionExchanges.record',
  'sessionExchanges.remove',
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

/** Definition fields shared by all operations of OAuth and OpenID Connect that browsers request. */
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

/** Definition fields shared by all operations that return public, cacheable documents such as the issuer's metadata. */
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
  summary: 'Stores the parameters of a later authorization request',
  description: `Stores the parameters of an authorization request, so that none of them appears in the browser's address bar (RFC 9126). The request needs client authentication, an allowed \`redirect_uri\` and \`response_type=code\`. Send the browser to \`/oidc/auth\` with \`client_id\` and the \`request_uri\` of the response within ${PUSHED_REQUEST_SECONDS} seconds. Requests that \`/oidc/auth\` would refuse get 400 here.`,
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
  summary: 'Stores the parameters of a later authorization request, with the status that RFC 9126 requires',
  description: `Works like \`/oidc/request\`, but responds with 201, because clients of RFC 9126 do not accept 200 as success. The request needs client authentication, an allowed \`redirect_uri\` and \`response_type=code\`. The \`request_uri\` of the response can be used once, within ${PUSHED_REQUEST_SECONDS} seconds. Requests that \`/oidc/auth\` would refuse get 400 here.`,
  operationId: 'pushAuthorizationRequest',
  output: { status: 201, json: PushedRequestResponse },
} as const satisfies OperationRow;

export const authorize = {
  ...browser,
  method: 'GET',
  event: 'browser/authorize',
  summary: 'The authorization endpoint: takes a browser through a login and returns an authorization code',
  description:
    "Open this address in the user's browser, with the request parameters or with the `request_uri` of a pushed request. The user logs in on hosted pages, unless the browser's session is sufficient, and returns to `redirect_uri` with `code`, `state` and `iss`. An invalid client or redirect URI is 400; every other error is sent to the redirect URI.",
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
  summary: 'The authorization endpoint by POST: stores the request and redirects to the GET endpoint',
  description:
    'Accepts an authorization request as a form, for parameters that are too long for a URL. The request is stored, and the browser is redirected to `/oidc/auth` by GET. An invalid client or redirect URI is 400.',
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
  description: `Issues a token for the client itself (\`client_credentials\`), or exchanges a user's authorization code, a refresh token, or an ID token of the system that an operator has imported the users from. The request needs client authentication: a secret, an assertion, or only the ID of a public client. A client token is valid for ${CLIENT_TOKEN_SECONDS} seconds by default; for a user an ID token is issued too. An invalid, used or expired code or token is 400 \`invalid_grant\`.`,
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
  summary: 'Exchanges a code for the tokens of the user, and creates the user if a sign-up was pending',
  description:
    'Exchanges a code from a redirect URI for the tokens of the user, as JSON. The request needs the client ID and secret, and `code_verifier` or `redirect_uri` if the client has `bound_codes`. If a sign-up was pending, the user is created now and `is_user_created` is true. An invalid, used or expired code is 400.',
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
  checksCredential: true,
  canary: true,
  uses: [...DIRECTORY, 'windows.count', 'nonceMac', ...EXCHANGE],
} as const satisfies OperationRow;

export const refresh = {
  ...endpoint,
  section: 'sessions',
  path: '/v1/auth/token/refresh',
  file: 'oauth/refresh',
  summary: 'Issues new tokens for a refresh token and replaces the refresh token',
  description: `Issues new tokens for a refresh token and replaces it by a new one, unless the client has \`refresh_token_rotation\` set to false. A repeated call gets the same response for ${REFRESH_GRACE_SECONDS} seconds, and after that another new refresh token as long as the first one is unused. Any other use of an old token ends all tokens of that login. Such a token, and a token of another client, is 400.`,
  auth: 'client',
  permissions: EXECUTE_LOGINS,
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
  summary: 'Revokes a token before it expires (RFC 7009)',
  description:
    'Revokes a refresh token together with all tokens of the same login, or a single access token (RFC 7009). The request needs client authentication. Unknown tokens and tokens of other clients are 200 as well; an ID token is 400 `unsupported_token_type`.',
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
  summary: 'Returns whether a token is active, and its claims (RFC 7662)',
  description:
    'Returns whether a token is valid at this moment, and its claims (RFC 7662). The request needs client authentication, and a client that can keep a secret. Invalid tokens, and tokens of other applications, are `{"active":false}`.',
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
  summary: 'Returns the user of an access token (OpenID Connect UserInfo)',
  description:
    "Returns the claims of the user of an access token (OpenID Connect Core §5.3). The token needs the scope `openid`, and must be for the default audience or belong to a client that is identified by its metadata document; `profile`, `email`, `phone` and the login's `claims.userinfo` add claims. A token whose session has ended is 401.",
  auth: 'user',
  cors: 'any',
  input: {},
  output: { status: 200, json: UserInfoResponse },
  dialect: 'oauth',
  errors: [],
  acceptsConsentedTokens: true,
  uses: [...OWN_USER, 'applications', 'consents.find'],
} as const satisfies OperationRow;

export const jwks = {
  ...metadata,
  section: 'keys',
  path: '/oidc/jwks',
  summary: 'The public keys that verify tokens (RFC 7517)',
  description: `Returns the public keys that verify ID tokens and access tokens, including the next key before it signs. No token is needed, and the response may be cached for ${PUBLIC_CACHE_SECONDS} seconds.`,
  output: { status: 200, json: JwksResponse, public: true },
  uses: ['signingKeys'],
} as const satisfies OperationRow;

export const discovery = {
  ...metadata,
  section: 'discovery',
  path: ['/oidc/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/cis/oidc'],
  summary: 'Metadata of the issuer (OpenID Connect Discovery, RFC 8414)',
  description: `Returns the endpoints of the issuer and the features that they support. No token is needed, and the response may be cached for ${PUBLIC_CACHE_SECONDS} seconds.`,
  output: { status: 200, json: MetadataResponse, public: true },
  uses: [],
} as const satisfies OperationRow;
