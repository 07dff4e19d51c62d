// Operations on a user's own account: the links in notices, the account page, and recovery from a lost factor.

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

export const noticeLinkPage = {
  section: 'account',
  method: 'GET',
  path: '/notice',
  file: 'account/notice-link',
  reach: 'browser',
  summary: 'Asks for confirmation before the link of a notice undoes a change',
  description:
    'Messages about a changed address, a recovery or a deleted account contain such a link. Opening it changes nothing, because mail scanners open links. An unknown or expired link returns a page with status 404.',
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
  summary: 'Undoes the change that a notice reported, after the user has confirmed it',
  description:
    'Works once: undoes a change and ends all sessions, cancels a recovery, or cancels the deletion of the account. To undo a change that required two factor types, the user must also log in with another factor: the answer redirects to that login, which returns to such a link. A superseded address also leads to a login. A page with status 400 says that the change can no longer be undone, or that another user has the address.',
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

/** Definition fields shared by all operations with which backends or operators help users, for example to grant a recovery. */
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
  summary: 'Lets a user who has lost a factor add a new one with a single factor type, without a delay',
  description: `Takes effect at once and for ${RECOVERY_SECONDS / SECONDS_PER_DAY} days, even if the user has not requested a recovery. Every address of the user is notified. Verify the identity of the user first. For users who have roles or administer an organization, an admin token is required (403).`,
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
  summary: 'Cancels the deletion of an account by its user',
  description:
    'Works until the user is erased, after which the answer is 404. The user is notified and can log in again; sessions stay ended. The answer is also 204 if no deletion is pending. To erase the user at once, delete the user.',
  permissions: EDIT_USERS,
  output: { status: 204 },
  uses: [...CHANGE_USER, 'jobs.remove', 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

/** Store operations that every form of the account page needs, to read the browser's session and to start a login. */
const CHANGE = [...DIRECTORY, 'sessions.find', 'users.find', 'loginTransactions.put'] as const;

/** Store operations that the forms for removing a credential or an address need. */
const REMOVE = [...CHANGE, ...CHANGE_USER, 'passkeys.listOf', 'passkeyRecords.listOf'] as const;

/** Definition fields shared by all operations of the account page and its forms. An operation can override them. */
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
    'Sent by a form of the account page; applications never call it. It requires the `csrf` of the page, and a login in this browser within `binding_max_age_seconds` (10 minutes by default). It redirects to the page or, if the login is missing, to the login.',
  input: { query: AccountQuery, form: AccountForm },
} as const;

export const accountPage = {
  ...page,
  path: '/account',
  event: 'account/page',
  file: 'account/account-page',
  summary: 'Shows users their own account',
  description:
    'Open it in the browser of the user, with a `client_id` of the tenant; a hosted login comes first if necessary. Addresses are masked unless the user has logged in within `binding_max_age_seconds` (10 minutes by default). Without `client_id`, it uses the client of the newest login in the browser, and returns a page with status 404 if there is none. An unknown client returns a page with status 400.',
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
  summary: 'Ends one session of the user, from the account page',
  input: { query: AccountQuery, form: AccountItemForm },
  uses: [...CHANGE, 'sessions.listOf', 'sessions.end'],
} as const satisfies OperationRow;

export const endOwnConsent = {
  ...form,
  path: '/account/consents/end',
  event: 'account/end-consent',
  file: 'account/own-sessions',
  summary: 'Revokes the consent for a client identified by its metadata document, from the account page',
  input: { query: AccountQuery, form: AccountItemForm },
  uses: [...CHANGE, 'consents.end'],
} as const satisfies OperationRow;

export const endOtherSessions = {
  ...form,
  path: '/account/sessions/end-others',
  file: 'account/own-sessions',
  summary: 'Ends all sessions of the user except that of the browser, from the account page',
  uses: [...CHANGE, 'sessions.endAllOf'],
} as const satisfies OperationRow;

export const changeOwnProfile = {
  ...form,
  path: '/account/profile',
  event: 'account/change-profile',
  file: 'account/own-profile',
  summary: 'Changes the name and language of the user, from the account page',
  input: { query: AccountQuery, form: AccountProfileForm },
  errors: ['concurrent_change', 'user_not_found'],
  uses: [...CHANGE, ...CHANGE_USER],
} as const satisfies OperationRow;

export const addOwnPasskey = {
  ...form,
  path: '/account/passkeys/add',
  event: 'account/add-passkey',
  file: 'account/own-credentials',
  summary: 'Redirects from the account page to the page that creates a passkey',
  description:
    'Sent by a form of the account page; applications never call it. It requires a login in this browser and the `csrf` of the page. It redirects to a hosted login page, which asks for the factors that adding a credential requires, creates the passkey and returns.',
  uses: CHANGE,
} as const satisfies OperationRow;

export const nameOwnPasskey = {
  ...form,
  path: '/account/passkeys/name',
  event: 'account/name-passkey',
  file: 'account/own-credentials',
  summary: 'Renames a passkey of the user, from the account page',
  input: { query: AccountQuery, form: AccountPasskeyForm },
  uses: [...CHANGE, 'passkeyRecords.rename'],
} as const satisfies OperationRow;

export const removeOwnPasskey = {
  ...form,
  path: '/account/passkeys/remove',
  event: 'account/remove-passkey',
  file: 'account/own-credentials',
  summary: 'Removes a passkey of the user, from the account page',
  description:
    'Sent by a form of the account page; applications never call it. It requires the `csrf` of the page, and a login in this browser with the factors that adding or removing a credential requires. It redirects to the page or, if the login is missing, to the login. The only way to log in cannot be removed.',
  input: { query: AccountQuery, form: AccountItemForm },
  errors: ['concurrent_change', 'user_not_found'],
  uses: [...REMOVE, 'passkeyRecords.remove'],
} as const satisfies OperationRow;

export const removeOwnDeviceKey = {
  ...removeOwnPasskey,
  path: '/account/device-keys/remove',
  event: 'account/remove-device-key',
  summary: 'Removes a device key of the user, from the account page',
  errors: [],
  uses: [...CHANGE, 'passkeys.listOf', 'deviceKeys.remove'],
} as const satisfies OperationRow;

export const addOwnIdentity = {
  ...addOwnPasskey,
  path: '/account/identities/add',
  event: 'account/add-identity',
  summary: 'Redirects from the account page to the page that links an account at a provider',
  description:
    'Sent by a form of the account page; applications never call it. It requires a login in this browser and the `csrf` of the page. It redirects to a hosted login page, which asks for the factors that adding a credential requires, redirects to the provider and returns.',
  input: { query: AccountQuery, form: AccountProviderForm },
} as const satisfies OperationRow;

export const removeOwnIdentity = {
  ...removeOwnPasskey,
  path: '/account/identities/remove',
  event: 'account/remove-identity',
  summary: 'Unlinks an account at a provider from the user, from the account page',
  uses: [...REMOVE, 'identifierReservations.release'],
} as const satisfies OperationRow;

export const changeOwnEmail = {
  ...addOwnPasskey,
  path: '/account/email',
  event: 'account/change-email',
  file: 'account/own-addresses',
  summary: 'Redirects from the account page to the page for a new email address',
  description:
    'Sent by a form of the account page; applications never call it. It requires a login in this browser and the `csrf` of the page. It redirects to a hosted login page, which asks for the factors that adding a credential requires, sends a code to the new address and returns.',
} as const satisfies OperationRow;

export const changeOwnPhone = {
  ...changeOwnEmail,
  path: '/account/phone',
  event: 'account/change-phone',
  summary: 'Redirects from the account page to the page for a new phone number',
} as const satisfies OperationRow;

export const removeOwnAddress = {
  ...removeOwnPasskey,
  path: '/account/addresses/remove',
  event: 'account/remove-address',
  file: 'account/own-addresses',
  summary: 'Removes the email address or phone number of the user, from the account page',
  input: { query: AccountQuery, form: AccountAddressForm },
  uses: [...REMOVE, 'identifierReservations.release', 'sessions.endAllOf'],
} as const satisfies OperationRow;

export const downloadOwnData = {
  ...form,
  path: '/account/download',
  event: 'account/download-data',
  file: 'account/own-data',
  summary: 'Returns all data stored about the user as a file, from the account page',
  description:
    'Sent by a form of the account page; applications never call it. It requires the `csrf` of the page, and a login in this browser within `binding_max_age_seconds` (10 minutes by default). It returns a JSON file or, if the login is missing, redirects to the login.',
  output: { status: 303, html: true, file: true },
  errors: ['user_not_found'],
  uses: [...CHANGE, ...EXPORT_USER],
} as const satisfies OperationRow;

export const accountDeletionPage = {
  ...page,
  path: '/account/deletion',
  event: 'account/deletion-page',
  file: 'account/own-deletion',
  summary: 'Asks users to confirm the deletion of their account',
  description:
    'Open it in the browser of the user, like the account page. The tenant must allow it (`account_deletion`). It redirects to the login that the deletion requires, and then says what the deletion does and when. Opening it changes nothing.',
  uses: [...CHANGE, 'passkeys.listOf'],
} as const satisfies OperationRow;

export const deleteOwnAccount = {
  ...form,
  path: '/account/deletion',
  event: 'account/delete-account',
  file: 'account/own-deletion',
  summary: 'Deletes the account of the user, from the deletion page',
  description: `Sent by the form of the deletion page; applications never call it. It requires the \`csrf\` of the page, and a login in this browser with the factors that adding or removing a credential requires. All sessions end, and the user can no longer log in. Every proven address gets a notice with a link that cancels the deletion for ${ERASURE_DELAY_SECONDS / SECONDS_PER_DAY} days, after which the user is erased.`,
  errors: ['user_not_found', 'user_not_active', 'concurrent_change'],
  uses: [...CHANGE, ...CHANGE_USER, 'passkeys.listOf', 'jobs.put', 'jobs.remove', 'sessions.endAllOf'],
} as const satisfies OperationRow;
