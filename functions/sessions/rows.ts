import { EDIT_USERS, EXECUTE_LOGINS, READ_USERS } from '../../shared/domain/oauth/permission-sets.ts';
import { LOGIN_ERRORS } from '../../shared/errors/catalogue.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { DIRECTORY, OWN_USER } from '../../shared/ports/verbs.ts';
import {
  AuthenticateSessionBody,
  DeviceSessionInstructions,
  LogoutForm,
  LogoutQuery,
  LogoutResponse,
  LogoutSessionBody,
  SessionListResponse,
} from '../../shared/schemas/sessions.ts';
import { TokenResponse } from '../../shared/schemas/tokens.ts';
import { UserIdPath } from '../../shared/schemas/users.ts';

const READ = [...READ_USERS, ...EXECUTE_LOGINS] as const;
const EDIT = [...EDIT_USERS, ...EXECUTE_LOGINS] as const;

const sessions = {
  file: 'sessions/sessions',
  section: 'sessions',
  reach: 'api',
  cors: 'none',
  dialect: 'numeric',
} as const;

export const authenticateSession = {
  ...sessions,
  method: 'POST',
  path: '/v1/auth/session/authenticate',
  summary: 'Issues user tokens for a live session',
  description:
    "Issues tokens for a live session without asking the user. The request needs the ID of a session of the same application. The tokens name the factors and the time of the session's logins. A session that has ended or is unknown is 400.",
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  input: { json: AuthenticateSessionBody },
  output: { status: 200, json: TokenResponse },
  errors: LOGIN_ERRORS,
  uses: [
    'sessions.find',
    'sessions.join',
    'sessions.endFamily',
    'sessions.end',
    'users.find',
    'users.recordLogin',
    'memberships',
    'organizations',
    'resources',
    'guesses.clear',
    'signingKeys',
    'signer',
  ],
} as const satisfies OperationRow;

export const logoutSession = {
  ...sessions,
  method: 'POST',
  path: '/v1/auth/session/logout',
  summary: 'Ends a session',
  description:
    "Ends a session of the client's application, its refresh tokens and the login of its browser. The request needs the ID of the session. A session that has ended or is unknown is 204 as well.",
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  input: { json: LogoutSessionBody },
  output: { status: 204 },
  errors: [],
  audit: 'session.ended',
  uses: ['sessions.find', 'sessions.end'],
} as const satisfies OperationRow;

export const logout = {
  ...sessions,
  section: 'C',
  method: 'POST',
  path: '/v1/auth/logout',
  summary: 'Ends the session of the access token',
  description:
    "Ends the session of the user's access token, its refresh tokens and the login of its browser. There is no request body. `sessions_count` is 1, or 0 if the session had already ended; an invalid token is 401.",
  auth: 'user',
  input: {},
  output: { status: 200, json: LogoutResponse },
  errors: [],
  audit: 'session.ended',
  uses: ['sessions.end'],
} as const satisfies OperationRow;

export const listSessions = {
  ...sessions,
  operators: 'support',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/auth/users/{userId}/sessions',
  summary: 'Lists the live sessions of a user; with a user token, their own',
  description:
    'Lists the live sessions of a user at every application of the tenant; a client sees those of its own application. A user token lists only the sessions of its own user. An unknown user, or one of another tenant, is 404.',
  auth: ['client', 'admin', 'operator', 'user'],
  permissions: READ,
  input: { path: UserIdPath },
  output: { status: 200, json: SessionListResponse },
  errors: ['user_not_found'],
  uses: [...OWN_USER, 'sessions.listOf'],
} as const satisfies OperationRow;

export const endSessions = {
  ...sessions,
  operators: 'support',
  unguarded: 'restricts',
  method: 'DELETE',
  path: '/v1/auth/users/{userId}/sessions',
  summary: 'Ends all sessions of a user; with a user token, their own',
  description:
    'Ends all sessions of a user with their refresh tokens and browser logins. Access tokens that APIs verify offline stay valid until they expire. A client may do this for users who belong only to its application; for all other users it needs `users:edit` in its own permissions or roles (403). A user token ends only the sessions of its own user; an unknown user is 404.',
  auth: ['client', 'admin', 'operator', 'user'],
  permissions: EDIT,
  input: { path: UserIdPath },
  output: { status: 204 },
  errors: ['user_not_found'],
  audit: 'session.ended',
  uses: [...OWN_USER, 'sessions.endAllOf', 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

export const bindSession = {
  ...sessions,
  method: 'POST',
  path: '/oidc/session/binding',
  file: 'sessions/device-binding',
  summary: "Binds the session of a browser to a key of its device, and renews the session's bound cookie",
  description:
    'Called by browsers that support Device Bound Session Credentials (W3C draft); applications never call it. A login offers the registration, and the response sets a cookie that is valid for 15 minutes. A later call without a valid proof by the key is 403 with a new challenge; a session that has ended is 400.',
  auth: 'none',
  input: {},
  output: { status: 200, json: DeviceSessionInstructions },
  errors: ['system_invalid_input', 'session_not_found', 'device_proof_required'],
  uses: ['sessions.find', 'sessions.bind', 'sessions.countProof', 'sessions.end'],
} as const satisfies OperationRow;

/** Operation that logs a browser out (OpenID Connect RP-Initiated Logout 1.0 §2). */
export const logoutPage = {
  section: 'logout',
  method: 'GET',
  path: '/oidc/session/end',
  file: 'sessions/logout-page',
  reach: 'browser',
  summary: 'Logs a browser out, after asking the user unless an ID token proves that the login is theirs',
  description:
    "Open this address in the user's browser (OpenID Connect RP-Initiated Logout). With an `id_token_hint` of the browser's own login the session ends at once, otherwise a page asks the user. Then the browser goes to `post_logout_redirect_uri` with `state`. If that address is not registered, the response is 400 and no session ends.",
  auth: 'none',
  cors: 'none',
  input: { query: LogoutQuery },
  output: { status: 303, html: true },
  dialect: 'oauth',
  errors: ['redirect_uri_not_allowed', 'request_uri_spent', 'logout_hint_invalid'],
  audit: 'session.ended',
  auditNeedsSession: true,
  errorPage: 'request',
  uses: [...DIRECTORY, 'signingKeys', 'sessions.find', 'sessions.end', 'pushedRequests.spend'],
} as const satisfies OperationRow;

export const logoutByPost = {
  ...logoutPage,
  method: 'POST',
  file: 'sessions/logout-page',
  summary:
    "Logs a browser out by POST: continues an application's request by GET, or takes the user's confirmation",
  description:
    "Accepts an application's logout request as a form and continues by GET. The page that asks the user posts here too, with its `csrf` field. A `post_logout_redirect_uri` that is not registered is 400, and no session ends.",
  input: { query: LogoutQuery, form: LogoutForm },
  uses: [...DIRECTORY, 'sessions.find', 'sessions.end', 'pushedRequests.put'],
} as const satisfies OperationRow;
