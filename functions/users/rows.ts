import {
  LIST_EXAMINED_MAX,
  SECONDS_PER_DAY,
  SENT_SMS_KEPT_SECONDS,
} from '../../shared/domain/basis/limits.ts';
import { EDIT_USERS, READ_USERS } from '../../shared/domain/oauth/permission-sets.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  CHANGE_USER,
  ERASE_USER,
  EXPORT_USER,
  MOVE_IDENTIFIERS,
  NEW_USER,
} from '../../shared/ports/verbs.ts';
import { DeliveryReportBody } from '../../shared/schemas/events/deliveries.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';
import { DeliveriesQuery, DeliveriesResponse, TimelineResponse } from '../../shared/schemas/timeline.ts';
import { UserExportResponse } from '../../shared/schemas/user-export.ts';
import {
  CreateUserBody,
  EmailPath,
  FindUsersQuery,
  FoundUsersResponse,
  PhoneNumberPath,
  PhoneRiskBody,
  TestCodeResponse,
  UpdateUserBody,
  UserIdPath,
  UserListResponse,
  UsernamePath,
  UserResponse,
  UserSearchQuery,
} from '../../shared/schemas/users.ts';

const CREATE = ['users:create', 'apps:create', '[appId]:create'] as const;
const DELETE = ['users:delete', 'apps:delete', '[appId]:delete'] as const;

/** Definition fields shared by the operations on users. An operation can override them. */
const users = {
  file: 'users/users',
  section: 'users',
  reach: 'api',
  auth: ['client', 'admin', 'operator'],
  operators: 'support',
  cors: 'none',
  dialect: 'numeric',
} as const;

export const createUser = {
  ...users,
  unguarded: 'fields',
  method: 'POST',
  path: '/v1/users',
  summary: 'Creates a user',
  description:
    "Creates a user of the client's application, or with an admin token of the given `applications`; at least one of email, phone number and username is required. The user is Pending until the first login, and addresses are unverified until the user verifies them. Roles need an admin token. If another user has one of the identifiers, the response is 409.",
  permissions: CREATE,
  input: { json: CreateUserBody },
  output: { status: 201, json: UserResponse },
  errors: ['identifier_taken'],
  audit: 'user.created',
  uses: [...NEW_USER, 'applicationRecords.list'],
} as const satisfies OperationRow;

export const listUsers = {
  ...users,
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/users',
  summary: 'Lists the users of the tenant, or those that match a search, oldest first',
  description: `Returns the users that match all given conditions. A page examines at most ${LIST_EXAMINED_MAX} users, so it may be short or even empty and still have a \`next_cursor\`. With \`external_user_id\` the operation looks up that ID instead. A user who was just created may be missing for a moment.`,
  permissions: READ_USERS,
  input: { query: UserSearchQuery },
  output: { status: 200, json: UserListResponse },
  errors: [],
  uses: ['userRecords.list', 'applicationRecords.list', 'identifiers', 'users.find'],
} as const satisfies OperationRow;

export const findUsers = {
  ...users,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/people',
  summary:
    'Finds users by the beginning of an address or name, or by a complete number or ID, or lists the newest',
  description: `First returns the users whose user ID, session ID, ID of a failed request (not for clients of an application), email address, phone number or username equals the text. Then come those whose email address, username, external ID, name or last name begins with it, ignoring case and accents, in alphabetical order; viewers and developers find users by complete texts only. Without \`beginning\`, the newest users come first, and a page examines at most ${LIST_EXAMINED_MAX} users, so it may be short and still have a \`next_cursor\`. A user who was just created may be missing for a moment.`,
  permissions: READ_USERS,
  input: { query: FindUsersQuery },
  output: { status: 200, json: FoundUsersResponse },
  errors: [],
  uses: [
    ...['userRecords.list', 'userRecords.listByBeginning', 'identifiers', 'users.find'],
    ...['timeline.findSubjectOfRequest', 'userRecords.listByEvent', 'userRecords.listWithProblem'],
    ...['otps.locksOf', 'guesses.areFull'],
  ],
} as const satisfies OperationRow;

export const getUser = {
  ...users,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/users/{userId}',
  summary: 'Returns a user',
  description:
    "Returns the record of a user of the caller's tenant. A user of another tenant is 404, like an unknown user.",
  permissions: READ_USERS,
  input: { path: UserIdPath },
  output: { status: 200, json: UserResponse },
  errors: ['user_not_found'],
  uses: ['users.find'],
} as const satisfies OperationRow;

export const readTestCode = {
  ...users,
  operators: 'developer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/users/{userId}/test-code',
  file: 'users/test-code',
  summary: 'Returns the last passcode of a test user',
  description:
    'Returns the last passcode of a test user while it can be used, to the application that had it sent and to an admin token. The request needs the permission `users:test`, and test identities that are enabled for the application and the environment. Without such a code, or for a user who is not a test user, the response is 404.',
  permissions: ['users:test'],
  input: { path: UserIdPath },
  output: { status: 200, json: TestCodeResponse },
  freshClient: true,
  errors: ['test_code_not_found'],
  uses: ['users.find', 'testCodes.find', 'otps.isUsable', 'applications'],
} as const satisfies OperationRow;

export const exportUser = {
  ...users,
  operators: 'guarded',
  method: 'GET',
  path: '/v1/users/{userId}/export',
  summary:
    'Returns everything that is stored about a user: record, memberships, keys, sessions, events, changes',
  description:
    'Returns the data that a person is entitled to by law (GDPR Article 15). Secrets, their hashes, and the names of operators are left out. A client may export users who belong only to its application; for all other users it needs `users:read` in its own permissions or roles (403).',
  permissions: READ_USERS,
  input: { path: UserIdPath },
  output: { status: 200, json: UserExportResponse },
  errors: ['user_not_found'],
  uses: ['users.find', ...EXPORT_USER],
} as const satisfies OperationRow;

export const userTimeline = {
  ...users,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/users/{userId}/timeline',
  file: 'users/timeline',
  summary: 'Returns the events of a user, newest first, and the reasons why codes are refused now',
  description:
    'Explains why a code did not arrive: each message with its channel, its masked recipient and the later reports of its provider, refused messages with the reason, logins and wrong codes. Messages are kept for 30 days. `holds` says why codes are refused at the moment, and until when. A client may read this for the users whose export it may read, and sees the events of its own application.',
  permissions: READ_USERS,
  input: { path: UserIdPath, query: PageQuery },
  output: { status: 200, json: TimelineResponse },
  errors: ['user_not_found'],
  uses: ['users.find', 'timeline.listWithMessages', 'otps.locksOf', 'guesses.areFull'],
} as const satisfies OperationRow;

export const listDeliveries = {
  ...users,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/deliveries',
  file: 'users/timeline',
  summary: 'Returns the messages to an address, or the failed messages of the tenant, newest first',
  description:
    "Finds messages by email address or phone number, even if no user has the address, which is stored only as an HMAC; messages are kept for 30 days. A client sees the messages of its own application. If a user has the address, all messages of that user are returned, with `user_id`, to callers that may read the user's export. With `status=failed` and without `to`, the failed messages of the whole tenant are returned, except those to test users; a client needs `users:read` in its own permissions or roles for this (403).",
  permissions: READ_USERS,
  input: { query: DeliveriesQuery },
  output: { status: 200, json: DeliveriesResponse },
  errors: [],
  uses: ['identifiers', 'users.find', 'timeline.listMessages', 'timeline.listFailures'],
} as const satisfies OperationRow;

/** Definition fields shared by the operations that find a user by an identifier. */
const search = {
  ...users,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  permissions: READ_USERS,
  output: { status: 200, json: UserResponse },
  errors: ['user_not_found'],
  uses: ['identifiers', 'users.find'],
} as const;

export const getUserByUsername = {
  ...search,
  path: '/v1/users/username/{username}',
  summary: 'Finds a user by username',
  description:
    "Finds a user of the caller's tenant by username, ignoring case. If no user has it, the response is 404.",
  input: { path: UsernamePath },
} as const satisfies OperationRow;

export const getUserByEmail = {
  ...search,
  path: '/v1/users/email/{email}',
  summary: 'Finds a user by email address',
  description:
    "Finds a user of the caller's tenant by email address, verified or not, ignoring case. If no user has it, the response is 404.",
  input: { path: EmailPath },
} as const satisfies OperationRow;

export const getUserByPhoneNumber = {
  ...search,
  path: '/v1/users/phone-number/{phoneNumber}',
  summary: 'Finds a user by phone number',
  description:
    "Finds a user of the caller's tenant by phone number, verified or not. If no user has it, the response is 404.",
  input: { path: PhoneNumberPath },
} as const satisfies OperationRow;

export const updateUser = {
  ...users,
  unguarded: 'fields',
  method: 'PUT',
  path: '/v1/users/{userId}',
  summary: 'Updates the given fields of a user; null removes a field',
  description:
    'Null removes a field, lists are replaced as a whole, and one of email, phone number and username must remain; an identifier of another user is 409. A new address is unverified and ends all sessions of the user, unless `end_sessions` is false. An address that is set without a `session_id` of the user, `email_verified` or `phone_number_verified` takes over the account when the user first verifies it: everything that the user had before is superseded, which the response announces as `supersedes_account`. A client may change fields that decide who can log in for users who belong only to its application, and for all other users with `users:edit` in its own permissions or roles; giving roles, and changing users who have roles or administer an organization, needs an admin token (403).',
  permissions: EDIT_USERS,
  input: { path: UserIdPath, json: UpdateUserBody },
  output: { status: 200, json: UserResponse },
  errors: ['user_not_found', 'identifier_taken', 'concurrent_change'],
  audit: 'user.updated',
  uses: [
    ...CHANGE_USER,
    ...MOVE_IDENTIFIERS,
    'sessions.endAllOf',
    'sessions.find',
    'users.find',
    'passkeys.listOf',
    'membershipRecords.listOfUser',
    'applicationRecords.list',
  ],
} as const satisfies OperationRow;

export const setPhoneRisk = {
  ...users,
  unguarded: 'restricts',
  method: 'PUT',
  path: '/v1/users/{userId}/phone-risk',
  summary:
    'Reports that the phone number of a user may be in other hands, which stops codes by text message until the report is cleared',
  description:
    'Call it when you learn of a SIM swap or a ported number; a client may call it for the users that it may change. From then on no text message is sent to the number, codes that were already sent are invalid, and the number is no second factor; other methods and sessions are unaffected. The report stays until it is cleared or the number changes. If the user has no phone number, the response is 404.',
  permissions: EDIT_USERS,
  input: { path: UserIdPath, json: PhoneRiskBody },
  output: { status: 200, json: UserResponse },
  errors: ['user_not_found', 'user_phone_number_missing', 'concurrent_change'],
  audit: 'user.phone_risk_set',
  uses: [...CHANGE_USER, 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

export const clearPhoneRisk = {
  ...users,
  unguarded: 'withoutPower',
  method: 'DELETE',
  path: '/v1/users/{userId}/phone-risk',
  summary: 'Clears the reports about the phone number of a user',
  description:
    'Codes by text message to the number work again. A client may call it for the users that it may change, but not for users who have roles or administer an organization. The response is 204 even if nothing was reported.',
  permissions: EDIT_USERS,
  input: { path: UserIdPath },
  output: { status: 204 },
  errors: ['user_not_found', 'concurrent_change'],
  uses: [...CHANGE_USER, 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

export const unlockUser = {
  ...users,
  unguarded: 'withoutPower',
  method: 'DELETE',
  path: '/v1/users/{userId}/locks',
  summary: 'Clears failed attempts and locks of all codes of a user',
  description:
    'Passcodes work again at once, in all applications and for all identifiers of the user. A client may call it for the users that it may change, but not for users who have roles or administer an organization. The response is 204 even if nothing was locked, and 202 if a job completes the work within minutes.',
  permissions: EDIT_USERS,
  input: { path: UserIdPath },
  output: { status: 204, orLater: true },
  errors: ['user_not_found', 'concurrent_change'],
  audit: 'user.unlocked',
  uses: [
    ...CHANGE_USER,
    'otps.removeAllOf',
    'guesses.clearAllOf',
    'jobs.put',
    'jobs.remove',
    'users.find',
    'membershipRecords.listOfUser',
  ],
} as const satisfies OperationRow;

export const deleteUser = {
  ...users,
  operators: 'guarded',
  method: 'DELETE',
  path: '/v1/users/{userId}',
  summary: 'Erases a user and everything that belongs to the user',
  description:
    "Erases the user's codes, counters, sessions, memberships, devices, identifiers and linked accounts; this cannot be undone. Access tokens that are verified offline stay valid until they expire. A client may erase users who belong only to its application, and all other users with `users:delete` in its own permissions or roles, but no users who have roles or administer an organization (403). The response is 202 if the user is disabled and the rest of the data is erased within minutes.",
  permissions: DELETE,
  input: { path: UserIdPath },
  output: { status: 204, orLater: true },
  errors: ['user_not_found', 'concurrent_change'],
  uses: [...ERASE_USER, 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;

export const reportDelivery = {
  section: 'deliveries',
  method: 'POST',
  path: '/v1/deliveries/callback',
  file: 'users/delivery-report',
  reach: 'api',
  summary: 'Takes a report of a sender function about the delivery of a message',
  description: `A sender function of the operator, or its provider, calls this operation with the token that came with the message. The token names the message, authorizes only its reports, and is valid for ${SENT_SMS_KEPT_SECONDS / SECONDS_PER_DAY} days. Each status of a message is stored once; a repeated report is 204 as well. A token that is forged or has expired is 400.`,
  auth: 'none',
  cors: 'none',
  input: { json: DeliveryReportBody },
  output: { status: 204 },
  dialect: 'numeric',
  errors: [],
  uses: [
    'deliveryTokens',
    'replays',
    'identifiers',
    'users.find',
    'users.markUndeliverable',
    'timeline.addMessage',
    'timeline.eraseMessages',
  ],
} as const satisfies OperationRow;
