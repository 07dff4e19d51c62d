import {
  LISTED_APPS_MAX,
  PUBLIC_CACHE_SECONDS,
  SECONDS_PER_MINUTE,
  WEBAUTHN_CHALLENGE_SECONDS,
} from '../../shared/domain/basis/limits.ts';
import { EDIT_USERS, EXECUTE_LOGINS, READ_USERS } from '../../shared/domain/oauth/permission-sets.ts';
import { LOGIN_ERRORS } from '../../shared/errors/catalogue.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  CHANGE_USER,
  CHECK_PASSKEY,
  COMPLETE_LOGIN,
  DIRECTORY,
  NEW_USER,
  OWN_USER,
} from '../../shared/ports/verbs.ts';
import {
  AppSiteAssociationResponse,
  AssetLinksResponse,
  AuthenticatePasskeyBody,
  HintPasskeyRegistrationBody,
  HintPasskeyRegistrationResponse,
  OwnPasskeyPath,
  PasskeyEndpointsResponse,
  PasskeyListResponse,
  PasskeyPath,
  PasskeyResponse,
  RegisterExternalPasskeyBody,
  RegisterExternalPasskeyResponse,
  RegisterPasskeyBody,
  RegisterPasskeyResponse,
  RelatedOriginsResponse,
  RenamePasskeyBody,
  StartPasskeyLoginBody,
  StartPasskeyLoginResponse,
  StartPasskeyRegistrationBody,
  StartPasskeyRegistrationResponse,
} from '../../shared/schemas/passkeys.ts';
import { TokenResponse } from '../../shared/schemas/tokens.ts';
import { UserIdPath } from '../../shared/schemas/users.ts';

const passkeys = { section: 'passkeys', reach: 'api', cors: 'none', dialect: 'numeric' } as const;

const registration = { ...passkeys, method: 'POST', file: 'passkeys/registration' } as const;

export const startPasskeyRegistration = {
  ...registration,
  path: '/v1/auth/webauthn/register/start',
  event: 'passkeys/start-registration',
  summary: 'Starts the registration of a passkey: returns options for the authenticator',
  description: `Returns options for \`navigator.credentials.create\`, which can be used once within ${WEBAUTHN_CHALLENGE_SECONDS / SECONDS_PER_MINUTE} minutes. A user token registers a passkey for its own user and needs a fresh login, otherwise the response is 401 \`insufficient_user_authentication\`. A client names a user of its tenant; an unknown user is 404, and a user with too many passkeys 409. A page of the application sends \`client_id\` and \`username\` without a token; its options are the same for every name, and \`otl application update --origin\` sets the origins of such pages.`,
  auth: ['user', 'client', 'origin'],
  permissions: EXECUTE_LOGINS,
  cors: 'application',
  input: { json: StartPasskeyRegistrationBody },
  output: { status: 200, json: StartPasskeyRegistrationResponse },
  freshClient: true,
  errors: ['user_not_found', 'user_not_active', 'too_many_credentials', 'insufficient_user_authentication'],
  uses: [
    ...OWN_USER,
    'tenants',
    'applications',
    'passkeys.listOf',
    'passkeyRecords.listOf',
    'webauthnChallenges.putRegistration',
  ],
} as const satisfies OperationRow;

export const registerPasskey = {
  ...registration,
  path: '/v1/auth/webauthn/register',
  event: 'passkeys/register',
  summary: 'Registers a passkey for the user of the access token',
  description:
    "Registers a passkey for the user of the token, after the options were requested. The request needs the browser's encoded result and a fresh login, otherwise the response is 401 `insufficient_user_authentication`. An invalid result is 400, and a passkey that is already registered is 409.",
  auth: 'user',
  cors: 'application',
  input: { json: RegisterPasskeyBody },
  output: { status: 200, json: RegisterPasskeyResponse },
  errors: ['passkey_invalid', 'passkey_taken', 'too_many_credentials', 'insufficient_user_authentication'],
  audit: 'passkey.added',
  uses: [
    ...OWN_USER,
    'tenants',
    'applications',
    'passkeys.listOf',
    'passkeyRecords.listOf',
    'passkeyRecords.reserve',
    'passkeyRecords.put',
    'webauthnChallenges.find',
    'webauthnChallenges.consume',
    'rpIds',
  ],
} as const satisfies OperationRow;

export const registerExternalPasskey = {
  ...registration,
  path: '/v1/auth/webauthn/external/register',
  event: 'passkeys/register-external',
  summary: 'Registers a passkey for a user of the client, and creates the user if necessary',
  description:
    'Registers a passkey for the user that the client named at the start, otherwise for the user with `external_user_id`. With public sign-up an unknown user is created, otherwise the response is 404. The client has authenticated the user itself, so the passkey is valid only in this application until its owner confirms it. An invalid result is 400; a passkey that is already registered is 409, and so is an address that the user neither has nor had.',
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  input: { json: RegisterExternalPasskeyBody },
  output: { status: 200, json: RegisterExternalPasskeyResponse },
  freshClient: true,
  errors: [
    'passkey_invalid',
    'passkey_taken',
    'too_many_credentials',
    'login_user_gone',
    'user_not_found',
    'user_not_active',
    'identifier_taken',
  ],
  audit: 'passkey.added',
  uses: [
    'identifiers',
    'users.find',
    ...NEW_USER,
    'passkeys.findOwner',
    'passkeyRecords.listOf',
    'passkeyRecords.reserve',
    'passkeyRecords.put',
    'webauthnChallenges.find',
    'webauthnChallenges.consume',
    'rpIds',
  ],
} as const satisfies OperationRow;

export const hintPasskeyRegistration = {
  ...registration,
  path: '/v1/auth/webauthn/external/register/hosted/hint',
  event: 'passkeys/registration-hint',
  summary: 'Issues the token with which a user opens the hosted page for registering a passkey',
  description:
    "Issues a token with which a user's browser opens the hosted page that registers a passkey. The request needs an allowed `redirect_uri`, to which the page returns. Anyone who has the token can add a passkey, so send only the user's own browser there. With public sign-up and `external_user_id` an unknown user is created together with the passkey, otherwise the response is 404.",
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  input: { json: HintPasskeyRegistrationBody },
  output: { status: 200, json: HintPasskeyRegistrationResponse },
  freshClient: true,
  errors: [
    'redirect_uri_not_allowed',
    'auth_login_preferences_missing',
    'auth_login_preferences_absent',
    'user_not_found',
    'user_not_active',
    'identifier_taken',
  ],
  uses: ['identifiers', 'users.find', 'loginTransactions.prepare'],
} as const satisfies OperationRow;

export const startPasskeyLogin = {
  ...passkeys,
  method: 'POST',
  path: '/v1/auth/webauthn/authenticate/start',
  event: 'passkeys/start-login',
  file: 'passkeys/authentication',
  reach: 'browser',
  summary: 'Starts a login or an approval by passkey: returns options for the authenticator',
  description: `Returns options for \`navigator.credentials.get\`, which can be used once within ${WEBAUTHN_CHALLENGE_SECONDS / SECONDS_PER_MINUTE} minutes. The request needs only a \`client_id\`, and pages of the application's origins may send it. The options are the same for every user. With \`approval_data\` the passkey signs an approval.`,
  auth: 'none',
  cors: 'application',
  input: { json: StartPasskeyLoginBody },
  output: { status: 200, json: StartPasskeyLoginResponse },
  errors: [],
  uses: [...DIRECTORY, 'webauthnChallenges.put'],
} as const satisfies OperationRow;

export const authenticatePasskey = {
  ...passkeys,
  method: 'POST',
  path: '/v1/auth/webauthn/authenticate',
  event: 'passkeys/authenticate',
  file: 'passkeys/authentication',
  summary: "Verifies a passkey's signature and returns user tokens",
  description:
    "Verifies a passkey's signature and returns tokens and a session. The request needs the browser's encoded result. If the login was started with `approval_data`, the response has `signing_artifacts`, and the ID token contains the data if the backend repeats it here. An invalid result, different data, or a used or expired challenge is 400.",
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  input: { json: AuthenticatePasskeyBody },
  output: { status: 200, json: TokenResponse },
  errors: ['passkey_invalid', 'additional_factor_required', ...LOGIN_ERRORS],
  audit: 'login.succeeded',
  checksCredential: true,
  uses: [...COMPLETE_LOGIN, ...CHECK_PASSKEY, 'passkeys.updateTrust'],
} as const satisfies OperationRow;

const list = { ...passkeys, file: 'passkeys/passkeys' } as const;

const ofUser = { ...list, auth: ['client', 'admin', 'operator', 'user'], operators: 'guarded' } as const;

export const listPasskeys = {
  ...ofUser,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/users/{userId}/webauthn-credentials',
  event: 'passkeys/list',
  summary: 'Lists the passkeys of a user',
  description:
    'Lists all passkeys of a user in one page. A user token lists only the passkeys of its own user. An unknown user, or one of another tenant, is 404.',
  permissions: READ_USERS,
  input: { path: UserIdPath },
  output: { status: 200, json: PasskeyListResponse },
  errors: ['user_not_found'],
  uses: [...OWN_USER, 'passkeyRecords.listOf'],
} as const satisfies OperationRow;

export const renamePasskey = {
  ...ofUser,
  operators: 'admin',
  unguarded: 'describes',
  method: 'PUT',
  path: '/v1/users/{userId}/webauthn-credentials/{credentialId}',
  event: 'passkeys/rename',
  summary: 'Renames a passkey',
  description:
    "Gives a user's passkey a name, so that several can be told apart. A user token renames only passkeys of its own user. A client gets 403 for a passkey that was not registered through its application; an admin token renames any. An unknown user or passkey is 404.",
  permissions: EDIT_USERS,
  input: { path: PasskeyPath, json: RenamePasskeyBody },
  output: { status: 200, json: PasskeyResponse },
  errors: ['user_not_found', 'passkey_not_found', 'insufficient_user_authentication'],
  uses: [...OWN_USER, 'passkeys.listOf', 'passkeyRecords.rename', 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

export const deletePasskey = {
  ...ofUser,
  method: 'DELETE',
  path: '/v1/users/{userId}/webauthn-credentials/{credentialId}',
  event: 'passkeys/delete',
  summary: 'Removes a passkey',
  description:
    "Removes a user's passkey; its authenticator may still offer it, but it no longer works. A user token removes only passkeys of its own user and needs a fresh login, otherwise the response is 401 `insufficient_user_authentication`. A client gets 403 for a passkey that was not registered through its application; an admin token removes any. An unknown user or passkey is 404.",
  permissions: EDIT_USERS,
  input: { path: PasskeyPath },
  output: { status: 204 },
  errors: ['user_not_found', 'passkey_not_found', 'insufficient_user_authentication'],
  audit: 'passkey.removed',
  uses: [
    ...OWN_USER,
    'applications',
    'passkeys.listOf',
    'passkeyRecords.remove',
    ...CHANGE_USER,
    'membershipRecords.listOfUser',
  ],
} as const satisfies OperationRow;

const own = { ...list, auth: 'user' } as const;

export const listOwnPasskeys = {
  ...own,
  method: 'GET',
  path: '/v1/users/me/webauthn-credentials',
  event: 'passkeys/list-own',
  summary: 'Lists the passkeys of the user of the access token',
  description: 'Lists all passkeys of the user of the access token in one page. An invalid token is 401.',
  input: {},
  output: { status: 200, json: PasskeyListResponse },
  errors: [],
  uses: listPasskeys.uses,
} as const satisfies OperationRow;

export const renameOwnPasskey = {
  ...own,
  method: 'PATCH',
  path: '/v1/users/me/webauthn-credentials/{credentialId}',
  event: 'passkeys/rename-own',
  summary: 'Renames a passkey of the user of the access token',
  description:
    "Gives a passkey of the access token's user a name, so that several can be told apart. An unknown passkey is 404.",
  input: { path: OwnPasskeyPath, json: RenamePasskeyBody },
  output: { status: 200, json: PasskeyResponse },
  errors: ['passkey_not_found', 'insufficient_user_authentication'],
  uses: renamePasskey.uses,
} as const satisfies OperationRow;

export const deleteOwnPasskey = {
  ...own,
  method: 'DELETE',
  path: '/v1/users/me/webauthn-credentials/{credentialId}',
  event: 'passkeys/delete-own',
  summary: 'Removes a passkey of the user of the access token',
  description:
    "Removes a passkey of the access token's user; its authenticator may still offer it, but it no longer works. The request needs a fresh login, otherwise the response is 401 `insufficient_user_authentication`. An unknown passkey is 404.",
  input: { path: OwnPasskeyPath },
  output: { status: 204 },
  errors: ['passkey_not_found', 'insufficient_user_authentication'],
  audit: 'passkey.removed',
  uses: deletePasskey.uses,
} as const satisfies OperationRow;

export const passkeyEndpoints = {
  ...list,
  method: 'GET',
  path: '/.well-known/passkey-endpoints',
  reach: 'browser',
  behindApi: true,
  summary: 'Returns the addresses where users add and remove passkeys',
  description: `Password managers read this document to direct users there (W3C Passkey Endpoints). No token is needed, and the response may be cached for ${PUBLIC_CACHE_SECONDS} seconds. Both addresses are the account page, which opens with the newest login of the browser.`,
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 200, json: PasskeyEndpointsResponse, public: true },
  errors: [],
  uses: [],
} as const satisfies OperationRow;

export const relatedOrigins = {
  ...list,
  method: 'GET',
  path: '/.well-known/webauthn',
  reach: 'browser',
  summary: 'Returns the other origins that may use our RP ID',
  description: `Browsers read this document before a page of another host uses our RP ID (WebAuthn L3 §5.11). No token is needed, and the response may be cached for ${PUBLIC_CACHE_SECONDS} seconds. It lists at most five hosts besides ours, because browsers ignore further ones.`,
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 200, json: RelatedOriginsResponse, public: true },
  errors: [],
  uses: ['relatedOrigins'],
} as const satisfies OperationRow;

const nativeApps = {
  ...passkeys,
  method: 'GET',
  file: 'passkeys/native-apps',
  reach: 'browser',
  behindApi: true,
  auth: 'none',
  cors: 'any',
  input: {},
  errors: [],
  uses: ['relatedOrigins', 'applications'],
} as const;

export const assetLinks = {
  ...nativeApps,
  path: '/.well-known/assetlinks.json',
  summary: 'Returns the Android apps that may use the passkeys of the login host',
  description: `Android reads this document before an app uses a passkey with our RP ID (Google Digital Asset Links). No token is needed, and the response may be cached for ${PUBLIC_CACHE_SECONDS} seconds. It lists the \`android_apps\` of all applications without an \`rp_id\` of their own, at most ${LISTED_APPS_MAX} certificates. Apps may open magic links only if no other application sends links.`,
  output: { status: 200, json: AssetLinksResponse, public: true },
} as const satisfies OperationRow;

export const appSiteAssociation = {
  ...nativeApps,
  path: '/.well-known/apple-app-site-association',
  summary: 'Returns the Apple apps that may use the passkeys of the login host',
  description: `Apple reads this document for apps that use a passkey with our RP ID (Apple associated domains). No token is needed, and the response may be cached for ${PUBLIC_CACHE_SECONDS} seconds. It lists the \`ios_apps\` of all applications without an \`rp_id\` of their own, at most ${LISTED_APPS_MAX}. Apps may open magic links only if no other application sends links.`,
  output: { status: 200, json: AppSiteAssociationResponse, public: true },
} as const satisfies OperationRow;
