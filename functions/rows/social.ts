import type { Operation } from '../../shared/operation.ts';
import { LoginProviderPath, ProviderAnswer, SocialLoginQuery } from '../../shared/schemas/social.ts';
import { DIRECTORY, RECLAIM, SESSION } from './uses.ts';

/** Section B, login by social providers. */

export const startSocialLogin = {
  section: 'B',
  method: 'GET',
  path: ['/v1/auth/google', '/v1/auth/apple', '/v1/auth/facebook', '/v1/auth/line'],
  entry: 'social/start',
  reach: 'browser',
  summary: 'Leads a browser to a social provider, to log in there',
  auth: 'none',
  cors: 'none',
  input: { query: SocialLoginQuery },
  output: { status: 302 },
  dialect: 'numeric',
  errors: ['redirect_uri_not_allowed'],
  uses: [...DIRECTORY, 'resources', 'upstreamLogins.put'],
} as const satisfies Operation;

export const startHostedSocialLogin = {
  section: 'login',
  method: 'GET',
  path: '/login/{loginId}/with/{provider}',
  entry: 'social/start-hosted',
  reach: 'browser',
  summary: 'Leads a browser from the login page to a social provider',
  auth: 'login-cookie',
  cors: 'none',
  input: { path: LoginProviderPath },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [...DIRECTORY, 'loginTransactions.find', 'upstreamLogins.put'],
} as const satisfies Operation;

export const finishSocialLogin = {
  section: 'B',
  method: ['GET', 'POST'],
  path: ['/auth/google/callback', '/auth/apple/callback', '/auth/facebook/callback', '/auth/line/callback'],
  entry: 'social/callback',
  reach: 'browser',
  summary: 'Takes the answer of a social provider and leads the browser back to the caller',
  auth: 'none',
  cors: 'none',
  input: { query: ProviderAnswer, form: ProviderAnswer },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [
    ...RECLAIM,
    ...SESSION,
    ...DIRECTORY,
    'upstreamLogins.find',
    'upstreamLogins.consume',
    'upstreamLogins.keepAnswer',
    'providerSecrets',
    'identifiers',
    'users.find',
    'identifierClaims.claim',
    'identifierClaims.takeOver',
    'passkeys.hasAny',
    'sessions.endAllOf',
    'memberships',
    'organizations',
    'codes.put',
    'codes.upgrade',
    'codes.spend',
    'loginTransactions.find',
    'loginTransactions.advance',
    'loginTransactions.finish',
    'knownDevices.remember',
  ],
} as const satisfies Operation;
