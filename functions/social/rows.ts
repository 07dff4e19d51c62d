import { SECONDS_PER_MINUTE, UPSTREAM_LOGIN_SECONDS } from '../../shared/domain/basis/limits.ts';
import { callbackPath } from '../../shared/domain/social/provider.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  DIRECTORY,
  FINISH_LOGIN,
  MOVE_IDENTIFIERS,
  SHOW_LOGIN,
  UPDATE_TRUST,
} from '../../shared/ports/verbs.ts';
import { PROVIDERS } from '../../shared/records/providers.ts';
import {
  LoginProviderPath,
  OpenIdNamePath,
  ProviderAnswer,
  SocialLoginQuery,
} from '../../shared/schemas/social.ts';

const social = {
  section: 'B',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  output: { status: 303, html: true },
  dialect: 'numeric',
} as const;

export const startSocialLogin = {
  ...social,
  method: 'GET',
  path: [...PROVIDERS.map((name) => `/v1/auth/${name}`), '/v1/auth/openid/{name}'],
  event: 'social/start',
  file: 'social/start',
  summary: 'Redirects a browser to a social provider for a login',
  description:
    "Open this address in the user's browser: it redirects to the provider, which is the last part of the path: a built-in provider, or `openid/<name>` for an OpenID provider of the application. The request needs `client_id` and an allowed `redirect_uri`; the browser returns there with `code` and `state`. An invalid client or redirect URI is 400; every other error is sent to the redirect URI.",
  input: { path: OpenIdNamePath, query: SocialLoginQuery },
  output: { status: 302 },
  errors: ['redirect_uri_not_allowed'],
  errorPage: 'request',
  uses: [...DIRECTORY, 'resources', 'upstreamLogins.put', 'loginTransactions.put'],
} as const satisfies OperationRow;

export const startHostedSocialLogin = {
  ...social,
  section: 'login',
  method: 'GET',
  path: '/login/{loginId}/with/{provider}',
  event: 'social/start-hosted',
  file: 'social/start',
  summary: 'Redirects a browser from the login page to a social provider',
  description:
    "Target of a provider's button on the login page. The request needs the cookie of the browser that began the login. It redirects to the provider; a login that has ended, or that began in another browser, is a page with status 404.",
  auth: 'login-cookie',
  input: { path: LoginProviderPath },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'cookies_missing'],
  errorPage: 'login',
  uses: [...SHOW_LOGIN, 'upstreamLogins.put'],
} as const satisfies OperationRow;

export const finishSocialLogin = {
  ...social,
  method: ['GET', 'POST'],
  path: [...PROVIDERS, 'openid/{name}' as const].map(callbackPath),
  event: 'social/callback',
  file: 'social/callback',
  summary: 'Handles the response of a social provider and returns the browser to the caller',
  description: `Address to which a provider returns the browser, by query or form. It can be used once, within ${UPSTREAM_LOGIN_SECONDS / SECONDS_PER_MINUTE} minutes, in the browser that was sent to the provider. The browser continues to the redirect URI with \`code\` and \`state\`, or with an error such as \`access_denied\`.`,
  input: { path: OpenIdNamePath, query: ProviderAnswer, form: ProviderAnswer },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'cookies_missing', 'upstream_login_over'],
  checksCredential: true,
  errorPage: 'login',
  uses: [
    ...FINISH_LOGIN,
    ...UPDATE_TRUST,
    ...DIRECTORY,
    'users.noteProof',
    'upstreamLogins.find',
    'upstreamLogins.consume',
    'upstreamLogins.undoConsume',
    'upstreamLogins.storeResponse',
    'providerSecrets',
    'identifiers',
    ...MOVE_IDENTIFIERS,
    'codes.upgrade',
    'codes.spend',
    'sessions.endAllOf',
    'noticeLinks.put',
  ],
} as const satisfies OperationRow;
