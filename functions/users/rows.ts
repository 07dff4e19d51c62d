import { LIST_EXAMINED_MAX } from '../../shared/domain/basis/limits.ts';
import { EDIT_USERS, READ_USERS } from '../../shared/domain/oauth/permission-sets.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  CHANGE_USER,
  ERASE_USER,
  EXPORT_USER,
  MOVE_IDENTIFIERS,
  NEW_USER,
} from '../../shared/ports/verbs.ts';
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

/** Rows of the table for users: callers are clients of the tenant's applications, or its management clients. */

const CREATE = ['users:create', 'apps:create', '[appId]:create'] as const;
const DELETE = ['users:delete', 'apps:delete', '[appId]:delete'] as const;

/** What the rows here have, unless they say otherwise. */
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
    "Makes a user of the client's application, or with the admin token of those in `applications`, with at least one of email, phone number and username. The user is Pending until the first login, and addresses are unverified until they are proven. It takes an admin token to give roles. 409 when another user has one of the identifiers.",
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
  summary: 'Lists the users of the tenant, oldest first, or those that fit a search',
  description: `Finds users that fit all that is asked for. A page looks through at most ${LIST_EXAMINED_MAX} users, so it may be short, or empty, and still have a \`next_cursor\`. With \`external_user_id\` it looks that ID up instead. A user who was just made may be missing for a moment.`,
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
  summary: 'Finds users by the beginning of an address or a name, or by a whole number or ID',
  description:
    'Answers whom the whole text names as user ID, session ID, email address, phone number or username. Then those whose email address, username, external ID, name or last name begins with it, whatever case and accents, by the alphabet. `found_by` says by what; viewers and developers find by whole texts alone. A user who was just made may be missing for a moment.',
  permissions: READ_USERS,
  input: { query: FindUsersQuery },
  output: { status: 200, json: FoundUsersResponse },
  errors: [],
  uses: ['userRecords.listByBeginning', 'identifiers', 'users.find'],
} as const satisfies OperationRow;

export const getUser = {
  ...users,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/users/{userId}',
  summary: 'Shows a user',
  description:
    "Answers the record of a user of the caller's tenant. A user of another tenant is 404 like an unknown one.",
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
  summary: 'Shows the last passcode of a test user',
  description:
    'Answers the last passcode of a test user while it can be used, to the application that had it sent and to an admin token. It needs the permission `users:test`, and test identities of application and environment. 404 without such a code, also for a user who is no test user.',
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
    'Shows everything that is kept about a user: record, memberships, keys, sessions, timeline, changes',
  description:
    'Answers what a person may ask for by law (GDPR Article 15). Secrets, their hashes, and which operator did something are left out. A client sees those of users of its application alone, with `users:read` written in its list or roles of every application (403).',
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
  summary: 'Shows what happened to a user, newest first, and what keeps codes from them now',
  description:
    'Answers why a code did not come: each message with its channel, its masked recipient and what its provider told of it later, refused ones with their reason, logins and wrong codes. Messages are kept for 30 days. `holds` says what refuses codes at this moment, and until when. A client reaches the users whose export it may see, and sees the rows of its own application.',
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
  summary: 'Shows what was sent to an address and to its user, or was refused, newest first',
  description:
    'Finds messages by email address or phone number, also of an address that no user has. An address without a user is stored as an HMAC alone; a client sees the messages of its own application. Where a user has the address, it shows all messages of that user, whom `user_id` names, to callers that may see the export. Messages are kept for 30 days.',
  permissions: READ_USERS,
  input: { query: DeliveriesQuery },
  output: { status: 200, json: DeliveriesResponse },
  errors: [],
  uses: ['identifiers', 'users.find', 'timeline.listMessages'],
} as const satisfies OperationRow;

/** What finds a user by a name. */
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
  summary: 'Shows the user of a username',
  description: "Finds a user of the caller's tenant by username, whatever its case. 404 when no user has it.",
  input: { path: UsernamePath },
} as const satisfies OperationRow;

export const getUserByEmail = {
  ...search,
  path: '/v1/users/email/{email}',
  summary: 'Shows the user of an email address',
  description:
    "Finds a user of the caller's tenant by email address, proven or not, whatever its case. 404 when no user has it.",
  input: { path: EmailPath },
} as const satisfies OperationRow;

export const getUserByPhoneNumber = {
  ...search,
  path: '/v1/users/phone-number/{phoneNumber}',
  summary: 'Shows the user of a phone number',
  description: "Finds a user of the caller's tenant by phone number, proven or not. 404 when no user has it.",
  input: { path: PhoneNumberPath },
} as const satisfies OperationRow;

export const updateUser = {
  ...users,
  unguarded: 'fields',
  method: 'PUT',
  path: '/v1/users/{userId}',
  summary: 'Changes the given fields of a user; null removes a field',
  description:
    'Null removes a field, lists are replaced as a whole, and one of email, phone number and username must remain; an identifier of another user is 409. Another address is unverified; with it all sessions of the user end, unless `end_sessions` is false. An address that is set without a `session_id` of the user, `email_verified` or `phone_number_verified` takes over the account when it is first proven: everything that the user had before is superseded, and the answer says so as `supersedes_account`. What decides who can log in, a client changes of users of its application alone, and with `users:edit` written in its list or roles of every application; to give roles, and to change users who have some or administer an organization, it takes an admin token (403).',
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
    'Notes that the phone number of a user may be in other hands: no code by text counts until it is cleared',
  description:
    'Call it when you hear of a SIM swap or a ported number; whose users a client reaches is as for a change. From then on no SMS goes to the number, no code that is out counts, and it is no second factor; other methods and sessions go on. It holds until it is cleared or the number changes. 404 when the user has no phone number.',
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
  summary: 'Says that the phone number of a user is theirs again',
  description:
    'Codes by text to the number count again. A client reaches the users that it may change, and none with power. It answers 204 where nothing was reported, too.',
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
  summary: 'Forgets failed tries and locks of all codes of a user',
  description:
    'Passcodes work again at once, in all applications and under all names of the user. A client reaches the users that it may change, and none with power. It answers 204 where nothing was locked, too, and 202 if a job ends the work within minutes.',
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
  summary: 'Erases a user with everything that belongs to them',
  description:
    'Erases codes, counters, sessions, memberships, devices, identifiers and linked accounts; it cannot be undone. Access tokens that are verified offline work until they expire. A client erases users of its application alone, with `users:delete` written in its list or roles of every application, and none with power (403). 202 when the user is disabled and some of what belongs to them goes within minutes.',
  permissions: DELETE,
  input: { path: UserIdPath },
  output: { status: 204, orLater: true },
  errors: ['user_not_found', 'concurrent_change'],
  uses: [...ERASE_USER, 'membershipRecords.listOfUser'],
} as const satisfies OperationRow;
