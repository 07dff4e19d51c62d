import {
  ERASURE_DELAY_SECONDS,
  RECOVERY_SECONDS,
  SECONDS_PER_DAY,
} from '../../shared/domain/basis/limits.ts';
import { EDIT_USERS } from '../../shared/domain/oauth/permission-sets.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { CHANGE_USER, DIRECTORY, EXPORT_USER, MOVE_IDENTIFIERS } from '../../shared/ports/verbs.ts';
import {
  AccountAddressForm,
  AccountForm,
  AccountItemForm,
  AccountPageQuery,
  AccountPasskeyForm,
  AccountProfileForm,
  AccountProviderForm,
  AccountQuery,
  NoticeLinkQuery,
} from '../../shared/schemas/account.ts';
import { UserIdPath, UserResponse } from '../../shared/schemas/users.ts';

/** What users do about their accounts: by links in notices, on the account page, and without a second factor. */

export const noticeLinkPage = {
  section: 'account',
  method: 'GET',
  path: '/notice',
  file: 'account/notice-link',
  reach: 'browser',
  summary: 'Asks before a link of a notice undoes what the notice tells of',
  description:
    'Messages about a changed address, a recovery or a deleted account hold such a link. Opening it changes nothing, because mail scanners open links. An unknown or expired link is a page with status 404.',
  auth: 'none',
  cors: 'none',
  input: { query: NoticeLinkQuery },
  output: { status: 200, html: true },
  dialect: 'numeric',
  errors: ['link_not_found'],
  errorPage: 'link',
  uses: ['noticeLinks.find', 'applications', 'tenants', 'users.find'],
} as const satisfies OperationRow;

export const openNoticeLink = {
  ...noticeLinkPage,
  method: 'POST',
  summary: 'Undoes what a notice tells of, as the person has said on the page of its link',
  description:
    'Undoes a change, which ends all sessions, stops a recovery, or undoes the deletion of the account. It works once. A change that took two kinds takes another one in a login, to which it redirects and which leads back to such a link; so does an address that no longer opens the account. A page says so with status 400 when it is over, or when another user has the address.',
  output: { status: 303, html: true },
  uses: [
    ...DIRECTORY,
    ...CHANGE_USER,
    ...MOVE_IDENTIFIERS,
    'noticeLinks.find',
    'loginTransactions.put',
    'sessions.endAllOf',
    'jobs.remove',
    'passkeyRecords.restore',
    'passkeyRecords.remove',
    'identifiers',
    'users.find',
  ],
} as const satisfies OperationRow;

/** What a backend does for a user. */
const ofUser = {
  section: 'account',
  reach: 'api',
  auth: ['client', 'admin', 'operator'],
  operators: 'support',
  cors: 'none',
  input: { path: UserIdPath },
  dialect: 'numeric',
  errors: ['user_not_found', 'concurrent_change'],
} as const;

export const grantRecovery = {
  ...ofUser,
  unguarded: 'withoutPower',
  method: 'PUT',
  path: '/v1/users/{userId}/recovery',
  file: 'account/grant-recovery',
  summary: 'Lets one kind of factor be enough at once for a user who has lost another, to bind a new one',
  description: `Counts at once and for ${RECOVERY_SECONDS / SECONDS_PER_DAY} days, asked for or not; every address of the user is told. Make sure of the person first. It takes an admin token for users who have roles or administer an organization (403).`,
  permissions: ['users:recover'],
  output: { status: 200, json: UserResponse },
  audit: 'user.recovery_granted',
  uses: [...CHANGE_USER, 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

export const cancelErasure = {
  ...ofUser,
  unguarded: 'withoutPower',
  method: 'DELETE',
  path: '/v1/users/{userId}/erasure',
  file: 'account/cancel-erasure',
  summary: 'Lets a user live on who has deleted their own account',
  description:
    'Works until the user is erased; then it is 404. The user can log in again and is told, and sessions stay ended. It answers 204 where nothing was deleted, too. To erase the user at once, delete the user.',
  permissions: EDIT_USERS,
  output: { status: 204 },
  uses: [...CHANGE_USER, 'jobs.remove', 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

/** The forms of the account page: the login of the browser, and what it lacks for the change. */
const CHANGE = [...DIRECTORY, 'sessions.find', 'users.find', 'loginTransactions.put'] as const;

/** The forms that take a way to log in from the account. */
const REMOVE = [...CHANGE, ...CHANGE_USER, 'passkeys.listOf', 'passkeyRecords.listOf'] as const;

/** What the pages of an account and their forms have, unless they say otherwise. */
const page = {
  section: 'account',
  method: 'GET',
  reach: 'browser',
  behindApi: true,
  auth: 'none',
  cors: 'none',
  input: { query: AccountQuery },
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  errorPage: 'request',
} as const;

const form = {
  ...page,
  method: 'POST',
  description:
    'What the form of the account page sends; applications never call it. It needs the login of the browser, of the last 10 minutes, and the `csrf` of the page. It redirects to the page, or to the login that it lacks.',
  input: { query: AccountQuery, form: AccountForm },
} as const;

export const accountPage = {
  ...page,
  path: '/account',
  event: 'account/page',
  file: 'account/account-page',
  summary: 'Shows a person their own account',
  description:
    'Open it in the browser of the user, with a `client_id` of the tenant. It shows the account of who is logged in there, and leads through the hosted login first if nobody is; addresses are masked until the login is fresh. Without a client it is that of the newest login in the browser, and a browser without one gets a page with status 404. An unknown client is a page with status 400.',
  input: { query: AccountPageQuery },
  errors: ['login_not_found'],
  uses: [
    ...CHANGE,
    'sessions.listOf',
    'passkeyRecords.listOf',
    'deviceKeys.listOf',
    'consents.listOf',
    'timeline.list',
  ],
} as const satisfies OperationRow;

export const endOwnSession = {
  ...form,
  path: '/account/sessions/end',
  event: 'account/end-session',
  file: 'account/own-sessions',
  summary: 'Ends one session of the person, from the account page',
  input: { query: AccountQuery, form: AccountItemForm },
  uses: [...CHANGE, 'sessions.listOf', 'sessions.end'],
} as const satisfies OperationRow;

export const endOwnConsent = {
  ...form,
  path: '/account/consents/end',
  event: 'account/end-consent',
  file: 'account/own-sessions',
  summary: 'Ends what the person lets a client by document do, from the account page',
  input: { query: AccountQuery, form: AccountItemForm },
  uses: [...CHANGE, 'consents.end'],
} as const satisfies OperationRow;

export const endOtherSessions = {
  ...form,
  path: '/account/sessions/end-others',
  file: 'account/own-sessions',
  summary: 'Ends all sessions of the person but that of the browser, from the account page',
  uses: [...CHANGE, 'sessions.endAllOf'],
} as const satisfies OperationRow;

export const changeOwnProfile = {
  ...form,
  path: '/account/profile',
  event: 'account/change-profile',
  file: 'account/own-profile',
  summary: 'Changes name and language of the person, from the account page',
  input: { query: AccountQuery, form: AccountProfileForm },
  errors: ['concurrent_change', 'user_not_found'],
  uses: [...CHANGE, ...CHANGE_USER],
} as const satisfies OperationRow;

export const addOwnPasskey = {
  ...form,
  path: '/account/passkeys/add',
  event: 'account/add-passkey',
  file: 'account/own-credentials',
  summary: 'Leads from the account page to the page that makes a passkey',
  description:
    'What the form of the account page sends; applications never call it. It needs the login of the browser and the `csrf` of the page. It redirects to a page of the login, which asks for what binding takes, makes the passkey and leads back.',
  uses: CHANGE,
} as const satisfies OperationRow;

export const nameOwnPasskey = {
  ...form,
  path: '/account/passkeys/name',
  event: 'account/name-passkey',
  file: 'account/own-credentials',
  summary: 'Names a passkey of the person, from the account page',
  input: { query: AccountQuery, form: AccountPasskeyForm },
  uses: [...CHANGE, 'passkeyRecords.rename'],
} as const satisfies OperationRow;

export const removeOwnPasskey = {
  ...form,
  path: '/account/passkeys/remove',
  event: 'account/remove-passkey',
  file: 'account/own-credentials',
  summary: 'Removes a passkey of the person, from the account page',
  description:
    'What the form of the account page sends; applications never call it. It needs the `csrf` of the page, and the login of the browser by what binding and removing take. It redirects to the page, or to the login that it lacks. The only way to log in stays.',
  input: { query: AccountQuery, form: AccountItemForm },
  errors: ['concurrent_change', 'user_not_found'],
  uses: [...REMOVE, 'passkeyRecords.remove'],
} as const satisfies OperationRow;

export const removeOwnDeviceKey = {
  ...removeOwnPasskey,
  path: '/account/device-keys/remove',
  event: 'account/remove-device-key',
  summary: 'Removes a device key of the person, from the account page',
  errors: [],
  uses: [...CHANGE, 'passkeys.listOf', 'deviceKeys.remove'],
} as const satisfies OperationRow;

export const addOwnIdentity = {
  ...addOwnPasskey,
  path: '/account/identities/add',
  event: 'account/add-identity',
  summary: 'Leads from the account page to the page that connects an account at a provider',
  description:
    'What the form of the account page sends; applications never call it. It needs the login of the browser and the `csrf` of the page. It redirects to a page of the login, which asks for what binding takes, leads to the provider and back.',
  input: { query: AccountQuery, form: AccountProviderForm },
} as const satisfies OperationRow;

export const removeOwnIdentity = {
  ...removeOwnPasskey,
  path: '/account/identities/remove',
  event: 'account/remove-identity',
  summary: 'Disconnects an account at a provider from that of the person, from the account page',
  uses: [...REMOVE, 'identifierReservations.release'],
} as const satisfies OperationRow;

export const changeOwnEmail = {
  ...addOwnPasskey,
  path: '/account/email',
  event: 'account/change-email',
  file: 'account/own-addresses',
  summary: 'Leads from the account page to the page that takes another email address',
  description:
    'What the form of the account page sends; applications never call it. It needs the login of the browser and the `csrf` of the page. It redirects to a page of the login, which asks for what binding takes, sends a code to the new address and leads back.',
} as const satisfies OperationRow;

export const changeOwnPhone = {
  ...changeOwnEmail,
  path: '/account/phone',
  event: 'account/change-phone',
  summary: 'Leads from the account page to the page that takes another phone number',
} as const satisfies OperationRow;

export const removeOwnAddress = {
  ...removeOwnPasskey,
  path: '/account/addresses/remove',
  event: 'account/remove-address',
  file: 'account/own-addresses',
  summary: 'Removes the email address or the phone number of the person, from the account page',
  input: { query: AccountQuery, form: AccountAddressForm },
  uses: [...REMOVE, 'identifierReservations.release', 'sessions.endAllOf'],
} as const satisfies OperationRow;

export const downloadOwnData = {
  ...form,
  path: '/account/download',
  event: 'account/download-data',
  file: 'account/own-data',
  summary: 'Gives the person all that is kept of them, as a file, from the account page',
  description:
    'What the form of the account page sends; applications never call it. It needs the login of the browser, of the last 10 minutes, and the `csrf` of the page. It answers with a file of JSON, or redirects to the login that it lacks.',
  output: { status: 303, html: true, file: true },
  errors: ['user_not_found'],
  uses: [...CHANGE, ...EXPORT_USER],
} as const satisfies OperationRow;

export const accountDeletionPage = {
  ...page,
  path: '/account/deletion',
  event: 'account/deletion-page',
  file: 'account/own-deletion',
  summary: 'Asks a person whether to delete their own account',
  description:
    'Open it in the browser of the user, as the account page, where the tenant allows it (`account_deletion`). It leads through the login that the deletion takes, and says what happens and when. Opening it changes nothing.',
  uses: [...CHANGE, 'passkeys.listOf'],
} as const satisfies OperationRow;

export const deleteOwnAccount = {
  ...form,
  path: '/account/deletion',
  event: 'account/delete-account',
  file: 'account/own-deletion',
  summary: 'Deletes the account of the person, from the page that asks',
  description: `What the form of the page sends; applications never call it. It needs the \`csrf\` of the page, and the login of the browser by what binding and removing take. All sessions end and nothing logs in. Every proven address is told, with a link that undoes it for ${ERASURE_DELAY_SECONDS / SECONDS_PER_DAY} days; then the user is erased.`,
  errors: ['user_not_found', 'user_not_active', 'concurrent_change'],
  uses: [...CHANGE, ...CHANGE_USER, 'passkeys.listOf', 'jobs.put', 'jobs.remove', 'sessions.endAllOf'],
} as const satisfies OperationRow;
