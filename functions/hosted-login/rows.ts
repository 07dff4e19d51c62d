import { LOGIN_TRANSACTION_SECONDS, SECONDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  CHECK_PASSCODE,
  CHECK_PASSKEY,
  DIRECTORY,
  FINISH_LOGIN,
  MOVE_IDENTIFIERS,
  SETTLE,
  SHOW_LOGIN,
} from '../../shared/ports/verbs.ts';
import { PasskeyLoginQuery } from '../../shared/schemas/authorization.ts';
import {
  LoginActPath,
  LoginForm,
  LoginPath,
  LoginQuery,
  PasskeyForm,
  PasskeyOptionsForm,
  PasskeyRegistrationQuery,
} from '../../shared/schemas/pages/login.ts';
import { PasskeyOptionsResponse } from '../../shared/schemas/passkeys.ts';

/** Section B by passkey, and the hosted login pages. */

/** What leads a browser to a login. */
const start = {
  method: 'GET',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  output: { status: 302, html: true },
  dialect: 'numeric',
} as const;

/** What a browser sends that is logging in. */
const login = {
  section: 'login',
  reach: 'browser',
  auth: 'login-cookie',
  cors: 'none',
  dialect: 'numeric',
} as const;

export const passkeyLogin = {
  ...start,
  section: 'B',
  path: '/v1/auth/webauthn',
  file: 'hosted-login/start-passkey-login',
  summary: 'Leads a browser through a login by passkey to a code',
  description:
    'Open it in the browser of the user: the login page that it leads to begins with passkeys. It needs `client_id` and an allowed `redirect_uri`; the browser comes back there with `code` and `state`. A bad client or redirect URI is 400, every other error goes to the redirect URI.',
  input: { query: PasskeyLoginQuery },
  errors: ['redirect_uri_not_allowed'],
  errorPage: 'request',
  uses: [...DIRECTORY, 'resources', 'sessions.find', 'users.find', 'loginTransactions.put'],
} as const satisfies OperationRow;

export const loginPage = {
  ...login,
  method: 'GET',
  path: '/login/{loginId}',
  file: 'hosted-login/login-page',
  summary: 'The hosted login page, at the step that the login is at',
  description: `Shows the page of a login at the step that it is at, or redirects once it is done. It needs the cookie of the browser that began the login. A login ends ${LOGIN_TRANSACTION_SECONDS / SECONDS_PER_MINUTE} minutes after its request; then, and in another browser, the page says so with status 404.`,
  input: { path: LoginPath, query: LoginQuery },
  output: { status: 303, html: true },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'login_code_elsewhere', 'cookies_missing'],
  canary: true,
  errorPage: 'login',
  uses: SHOW_LOGIN,
} as const satisfies OperationRow;

export const loginAct = {
  ...login,
  method: 'POST',
  // The longer one first: the last parameter takes the rest of the path.
  path: ['/login/{loginId}/{act}', '/login/{loginId}'],
  file: 'hosted-login/submit-form',
  summary: 'What a person did on a page of the login',
  description:
    'What the forms of the login pages send; applications never call it. It needs the cookie of the browser that began the login and the `csrf` of the page. It redirects to the next page, or answers a page that goes on to the redirect URI with a code or an error.',
  input: { path: LoginActPath, query: LoginQuery, form: LoginForm },
  output: { status: 303, html: true },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'login_code_elsewhere', 'cookies_missing'],
  takesCredential: true,
  canary: true,
  errorPage: 'login',
  uses: [
    ...FINISH_LOGIN,
    ...SETTLE,
    ...CHECK_PASSCODE,
    ...DIRECTORY,
    'identifiers',
    'windows.count',
    'otps.put',
    'otps.restore',
    'testCodes.put',
    'mailer',
    'smsSender',
    'knownDevices.isKnown',
    ...MOVE_IDENTIFIERS,
    'users.noteProof',
    'sessions.endAllOf',
    'noticeLinks.find',
    'noticeLinks.put',
    'noticeLinks.extend',
  ],
} as const satisfies OperationRow;

export const passkeyRegistrationPage = {
  ...start,
  section: 'passkeys',
  path: '/hosted/passkey/passkey-registration',
  event: 'browser/passkey-registration',
  file: 'hosted-login/start-passkey-registration',
  summary: 'Opens the hosted registration of a passkey, which ends at the redirect URI',
  description:
    'Open it in the browser of the user, with the token of a hint from the backend. It leads to a page that registers a passkey and then to the redirect URI of the hint. A token that is unknown, used or expired is a page with status 404.',
  input: { query: PasskeyRegistrationQuery },
  errors: ['link_not_found'],
  errorPage: 'link',
  uses: [...DIRECTORY, 'loginTransactions.find', 'loginTransactions.bind'],
} as const satisfies OperationRow;

export const loginPasskeyOptions = {
  ...login,
  method: 'POST',
  path: '/passkey/{loginId}/options',
  file: 'hosted-login/passkey-options',
  summary: 'What the script of a login page asks the authenticator for',
  description:
    'What the script of a login page asks before the authenticator; applications never call it. It needs the cookie of the browser that began the login and the `csrf` of the page. It answers options that work once, the same for every address. A login that has ended is 404.',
  input: { path: LoginPath, form: PasskeyOptionsForm },
  output: { status: 200, json: PasskeyOptionsResponse },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'cookies_missing', 'too_many_credentials'],
  uses: [
    ...SHOW_LOGIN,
    'passkeyRecords.listOf',
    'webauthnChallenges.put',
    'webauthnChallenges.putRegistration',
  ],
} as const satisfies OperationRow;

export const loginPasskey = {
  ...login,
  method: 'POST',
  path: '/passkey/{loginId}',
  file: 'hosted-login/submit-passkey',
  summary: 'What an authenticator has signed on a page of the login',
  description:
    'What the script of a login page sends after the authenticator; applications never call it. It needs the cookie of the browser, the `csrf` of the page and the signed result. It redirects to the next page, or answers a page that goes on to the redirect URI with a code or an error.',
  input: { path: LoginPath, form: PasskeyForm },
  output: { status: 303, html: true },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'cookies_missing'],
  takesCredential: true,
  errorPage: 'login',
  uses: [
    ...FINISH_LOGIN,
    ...SETTLE,
    ...CHECK_PASSKEY,
    ...DIRECTORY,
    'identifiers',
    'userRecords.put',
    ...MOVE_IDENTIFIERS,
    'passkeyRecords.reserve',
    'passkeyRecords.put',
    'noticeLinks.put',
    'rpIds',
  ],
} as const satisfies OperationRow;
