import type { Operation } from '../../shared/operation.ts';
import {
  AuthorizationQuery,
  LoginActPath,
  LoginForm,
  LoginPath,
  LoginQuery,
  PushedRequestForm,
  PushedRequestResponse,
} from '../../shared/schemas/authorization.ts';

/** Section F, the authorization endpoint that it leads to, and the hosted login pages. */

const DIRECTORY = ['clients', 'applications', 'tenants'] as const;

export const pushRequest = {
  section: 'F',
  method: 'POST',
  path: '/oidc/request',
  entry: 'browser/push-request',
  reach: 'api',
  summary: 'Takes the parameters of a later authorization request',
  auth: 'client-secret',
  cors: 'none',
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
  uses: [...DIRECTORY, 'resources', 'windows', 'replays', 'nonceMac', 'pushedRequests'],
} as const satisfies Operation;

export const pushRequestRfc9126 = {
  ...pushRequest,
  path: '/oidc/par',
  entry: 'browser/push-request-rfc9126',
  summary: 'Takes the parameters of a later authorization request, with the status of RFC 9126',
  output: { status: 201, json: PushedRequestResponse },
} as const satisfies Operation;

export const authorize = {
  section: 'F',
  method: 'GET',
  path: '/oidc/auth',
  entry: 'browser/authorize',
  reach: 'browser',
  summary: 'The authorization endpoint: leads a browser through a login to a code',
  auth: 'none',
  cors: 'none',
  input: { query: AuthorizationQuery },
  output: { status: 303, html: true },
  dialect: 'oauth',
  errors: ['redirect_uri_not_allowed', 'request_uri_not_supported', 'request_uri_spent'],
  uses: [
    ...DIRECTORY,
    'signingKeys',
    'resources',
    'pushedRequests',
    'sessions',
    'users',
    'memberships',
    'codes',
    'loginTransactions',
  ],
} as const satisfies Operation;

export const authorizeByPost = {
  section: 'F',
  method: 'POST',
  path: '/oidc/auth',
  entry: 'browser/authorize-by-post',
  reach: 'browser',
  summary: 'The authorization endpoint by POST: keeps the request and leads on by GET',
  auth: 'none',
  cors: 'none',
  input: { form: AuthorizationQuery },
  output: { status: 303, html: true },
  dialect: 'oauth',
  errors: ['redirect_uri_not_allowed'],
  uses: ['clients', 'applications', 'tenants', 'pushedRequests'],
} as const satisfies Operation;

export const loginPage = {
  section: 'login',
  method: 'GET',
  path: '/login/{loginId}',
  entry: 'browser/login-page',
  reach: 'browser',
  summary: 'The hosted login page, at the step that the login is at',
  auth: 'login-cookie',
  cors: 'none',
  input: { path: LoginPath, query: LoginQuery },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [...DIRECTORY, 'loginTransactions', 'sessions', 'users'],
} as const satisfies Operation;

export const loginAct = {
  section: 'login',
  method: 'POST',
  // The longer one first: a last parameter takes the rest of the path.
  path: ['/login/{loginId}/{act}', '/login/{loginId}'],
  entry: 'browser/login-act',
  reach: 'browser',
  summary: 'What a person did on a page of the login',
  auth: 'login-cookie',
  cors: 'none',
  input: { path: LoginActPath, query: LoginQuery, form: LoginForm },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [
    ...DIRECTORY,
    'loginTransactions',
    'sessions',
    'users',
    'identifiers',
    'memberships',
    'windows',
    'codeMac',
    'otps',
    'mailer',
    'texter',
    'knownDevices',
    'codes',
    'userRecords',
    'identifierClaims',
  ],
} as const satisfies Operation;
