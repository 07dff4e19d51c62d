import type { Operation } from '../../shared/operation.ts';
import { DIRECTORY, FINISH_LOGIN, WAKE } from '../../shared/ports/verbs.ts';
import { LoginProviderPath, ProviderAnswer, SocialLoginQuery } from '../../shared/schemas/social.ts';

/** Section B, login by social providers. */

export const startSocialLogin = {
  section: 'B',
  method: 'GET',
  path: ['/v1/auth/google', '/v1/auth/apple', '/v1/auth/facebook', '/v1/auth/line'],
  event: 'social/start',
  file: 'social/start',
  reach: 'browser',
  summary: 'Leads a browser to a social provider, to log in there',
  auth: 'none',
  cors: 'none',
  input: { query: SocialLoginQuery },
  output: { status: 302 },
  dialect: 'numeric',
  errors: ['redirect_uri_not_allowed'],
  errorPage: 'request',
  uses: [...DIRECTORY, 'resources', 'upstreamLogins.put'],
} as const satisfies Operation;

export const startHostedSocialLogin = {
  section: 'login',
  method: 'GET',
  path: '/login/{loginId}/with/{provider}',
  event: 'social/start-hosted',
  file: 'social/start',
  reach: 'browser',
  summary: 'Leads a browser from the login page to a social provider',
  auth: 'login-cookie',
  cors: 'none',
  input: { path: LoginProviderPath },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [
    ...DIRECTORY,
    'loginTransactions.find',
    'sessions.find',
    'users.find',
    'passkeys.listOf',
    'upstreamLogins.put',
  ],
} as const satisfies Operation;

export const finishSocialLogin = {
  section: 'B',
  method: ['GET', 'POST'],
  path: ['/auth/google/callback', '/auth/apple/callback', '/auth/facebook/callback', '/auth/line/callback'],
  event: 'social/callback',
  file: 'social/callback',
  reach: 'browser',
  summary: 'Takes the answer of a social provider and leads the browser back to the caller',
  auth: 'none',
  cors: 'none',
  input: { query: ProviderAnswer, form: ProviderAnswer },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  takesCredential: true,
  errorPage: 'login',
  uses: [
    ...FINISH_LOGIN,
    ...WAKE,
    ...DIRECTORY,
    'upstreamLogins.find',
    'upstreamLogins.consume',
    'upstreamLogins.keepAnswer',
    'providerSecrets',
    'identifiers',
    'identifierReservations.release',
    'identifierReservations.reserve',
    'identifierReservations.takeOver',
    'codes.upgrade',
    'codes.spend',
    'sessions.endAllOf',
  ],
} as const satisfies Operation;
