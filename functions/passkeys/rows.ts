import {
  PUBLIC_CACHE_SECONDS,
  SECONDS_PER_MINUTE,
  WEBAUTHN_CHALLENGE_SECONDS,
} from '../../shared/domain/basis/limits.ts';
import { EDIT_USERS, EXECUTE, READ_USERS } from '../../shared/domain/oauth/permission-sets.ts';
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

/** Passkeys (WebAuthn L3): registered, logged in with, listed, named, removed. */

const passkeys = { section: 'passkeys', reach: 'api', cors: 'none', dialect: 'numeric' } as const;

const registration = { ...passkeys, method: 'POST', file: 'passkeys/registration' } as const;

export const startPasskeyRegistration = {
  ...registration,
  path: '/v1/auth/webauthn/register/start',
  event: 'passkeys/start-registration',
  summary: 'Opens the registration of a passkey: options for the authenticator',
  description: `Answers options for \`navigator.credentials.create\`, which count once, for ${WEBAUTHN_CHALLENGE_SECONDS / SECONDS_PER_MINUTE} minutes. A user token stands for its own user and needs a fresh login, else 401 \`insufficient_user_authentication\`. A client names a user of its tenant; an unknown one is 404, and one with too many passkeys 409. A page of the application sends \`client_id\` and \`username\` without a token; its options are the same for every name, and \`otl application update --origin\` sets the origins of its pages.`,
  auth: ['user', 'client', 'origin'],
  permissions: EXECUTE,
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
    'Registers a passkey for the user of the token, after the options were asked for. It needs the encoded result of the browser and a fresh login, else it is 401 `insufficient_user_authentication`. A result that does not verify is 400, a passkey that is known is 409.',
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
  summary: 'Registers a passkey for a user of the client, and makes one who is not known yet',
  description:
    'Registers a passkey for the user that the client named at the start, else for the one with `external_user_id`. With public sign-up an unknown one is made, else it is 404. The client has authenticated the user itself, so the passkey counts at this application alone until its owner confirms it. A result that does not verify is 400; a passkey that is known is 409, and so is an address that neither is nor was of the user.',
  auth: 'client',
  permissions: EXECUTE,
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
  summary: 'Issues the token with which a user opens the hosted registration of a passkey',
  description:
    "Issues a token with which the browser of a user opens the hosted page that registers a passkey. It needs an allowed `redirect_uri`, where the page ends. Holding the token is enough to add a passkey: send only the user's own browser there. With public sign-up and `external_user_id` an unknown user is made with the passkey, else it is 404.",
  auth: 'client',
  permissions: EXECUTE,
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
  summary: 'Opens a login or an approval by passkey: options for the authenticator',
  description: `Answers options for \`navigator.credentials.get\`, which count once, for ${WEBAUTHN_CHALLENGE_SECONDS / SECONDS_PER_MINUTE} minutes. It needs only a \`client_id\`, and pages of the application's origins may call it. The options are the same for every user. With \`approval_data\` the passkey signs an approval.`,
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
  summary: 'Validates what a passkey signed and returns user tokens',
  description:
    'Verifies what a passkey signed and answers with tokens and a session. It needs the encoded result of the browser. After a start with `approval_data` the answer has `signing_artifacts`, and the ID token says the data where the backend names it here. A result that does not verify, other data than was named, or a challenge that is used or expired, is 400.',
  auth: 'client',
  permissions: EXECUTE,
  input: { json: AuthenticatePasskeyBody },
  output: { status: 200, json: TokenResponse },
  errors: ['passkey_invalid', 'additional_factor_required', ...LOGIN_ERRORS],
  audit: 'login.succeeded',
  takesCredential: true,
  uses: [...COMPLETE_LOGIN, ...CHECK_PASSKEY, 'passkeys.settle'],
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
    "Lists the passkeys of a user, without pages. A user token lists its own user's alone. An unknown user, or one of another tenant, is 404.",
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
  summary: 'Names a passkey',
  description:
    "Gives a passkey of a user a name, to tell several apart. A user token names its own user's alone. A client gets 403 for one that its application has not bound; an admin token names each. An unknown user or passkey is 404.",
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
    "Removes a passkey of a user; its authenticator may still offer it, in vain. A user token removes its own user's alone and needs a fresh login, else it is 401 `insufficient_user_authentication`. A client gets 403 for one that its application has not bound; an admin token removes each. An unknown user or passkey is 404.",
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
  description:
    'Lists the passkeys of the user whose token is sent, without pages. A token that is no longer good is 401.',
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
  summary: 'Names a passkey of the user of the access token',
  description:
    'Gives a passkey of the user whose token is sent a name, to tell several apart. An unknown passkey is 404.',
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
    'Removes a passkey of the user whose token is sent; its authenticator may still offer it, in vain. It needs a fresh login, else it is 401 `insufficient_user_authentication`. An unknown passkey is 404.',
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
  summary: 'Where people make and remove their passkeys',
  description: `Password managers read it to lead people there (W3C Passkey Endpoints). It needs no token, and may be cached for ${PUBLIC_CACHE_SECONDS} seconds. Both are the account page, which opens at the newest login of the browser.`,
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
  summary: 'The origins that may use our RP ID from elsewhere',
  description: `Browsers read it before a page of another host uses our RP ID (WebAuthn L3 §5.11). It needs no token, and may be cached for ${PUBLIC_CACHE_SECONDS} seconds. At most five hosts beside ours are listed, because browsers honour no more.`,
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 200, json: RelatedOriginsResponse, public: true },
  errors: [],
  uses: ['relatedOrigins'],
} as const satisfies OperationRow;
