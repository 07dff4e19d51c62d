// The hosted login pages, and the redirect login that begins with a passkey (SPEC section B).

import { LOGIN_TRANSACTION_SECONDS, SECONDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  CHECK_PASSCODE,
  CHECK_PASSKEY,
  DIRECTORY,
  FINISH_LOGIN,
  MOVE_IDENTIFIERS,
  SHOW_LOGIN,
  UPDATE_TRUST,
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

/** Definition fields shared by all operations that send a browser to a login. An operation can override them. */
const start = {
  method: 'GET',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  output: { status: 302, html: true },
  dialect: 'numeric',
} as const;

/** Definition fields shared by all operations that a browser calls during a login. An operation can override them. */
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
  summary: 'Starts a hosted login by passkey and returns an authorization code',
  description:
    'Redirects the browser of the user to a login page that begins with passkeys. It requires `client_id` and an allowed `redirect_uri`, to which the browser returns with `code` and `state`. An invalid client or redirect URI is 400. Every other error goes to the redirect URI.',
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
  summary: 'Shows the hosted login page for the current step of a login',
  description: `Shows the page for the current step of a login, or redirects if the login is done. It requires the cookie of the browser that began the login. A login expires ${LOGIN_TRANSACTION_SECONDS / SECONDS_PER_MINUTE} minutes after its request. After that, and in any other browser, it returns a page with status 404.`,
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
  // The longer path comes first, because a parameter at the end of a path matches the whole rest of the path.
  path: ['/login/{loginId}/{act}', '/login/{loginId}'],
  file: 'hosted-login/submit-form',
  summary: 'Handles the forms of the hosted login pages',
  description:
    'Called by the forms of the login pages; applications never call it. It requires the cookie of the browser that began the login and the `csrf` of the page. It redirects to the next page, or returns a page that navigates to the redirect URI with a code or an error.',
  input: { path: LoginActPath, query: LoginQuery, form: LoginForm },
  output: { status: 303, html: true },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'login_code_elsewhere', 'cookies_missing'],
  checksCredential: true,
  canary: true,
  errorPage: 'login',
  uses: [
    ...FINISH_LOGIN,
    ...UPDATE_TRUST,
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
  summary: 'Starts the hosted registration of a passkey, which ends at the redirect URI',
  description:
    'Open it in the browser of the user, with the token that the backend got for a registration hint. It redirects to a page that registers a passkey, and then to the redirect URI of the hint. An unknown, used or expired token returns a page with status 404.',
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
  summary: 'Returns the WebAuthn options for the script of a login page',
  description:
    'Called by the script of a login page before it calls the authenticator; applications never call it. It requires the cookie of the browser that began the login and the `csrf` of the page. It returns options that work once and look the same for every address. A login that has ended is 404.',
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
  summary: 'Verifies the WebAuthn result from the script of a login page',
  description:
    'Called by the script of a login page with the result of the authenticator; applications never call it. It requires the cookie of the browser, the `csrf` of the page and the signed result. It redirects to the next page, or returns a page that navigates to the redirect URI with a code or an error.',
  input: { path: LoginPath, form: PasskeyForm },
  output: { status: 303, html: true },
  errors: ['login_not_found', 'login_done', 'login_elsewhere', 'cookies_missing'],
  checksCredential: true,
  errorPage: 'login',
  uses: [
    ...FINISH_LOGIN,
    ...UPDATE_TRUST,
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
