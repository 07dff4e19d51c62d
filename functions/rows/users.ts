import type { Operation } from '../../shared/operation.ts';
import {
  CreateUserBody,
  EmailPath,
  PhoneNumberPath,
  PhoneRiskBody,
  UpdateUserBody,
  UserExportResponse,
  UserIdPath,
  UserListResponse,
  UsernamePath,
  UserResponse,
  UserSearchQuery,
} from '../../shared/schemas/users.ts';

/** Rows of the table for users: callers are clients of the tenant's applications, or its management clients. */

const CREATE = ['users:create', 'apps:create', '[appId]:create'] as const;
const READ = ['users:read', 'apps:read', '[appId]:read'] as const;
const EDIT = ['users:edit', 'apps:edit', '[appId]:edit'] as const;
const DELETE = ['users:delete', 'apps:delete', '[appId]:delete'] as const;

export const createUser = {
  section: 'users',
  method: 'POST',
  path: '/v1/users',
  entry: 'users/create-user',
  reach: 'api',
  summary: 'Creates a user',
  auth: ['client', 'admin'],
  permissions: CREATE,
  cors: 'none',
  input: { json: CreateUserBody },
  output: { status: 201, json: UserResponse },
  dialect: 'numeric',
  errors: ['identifier_taken'],
  uses: ['userRecords', 'identifierClaims'],
} as const satisfies Operation;

export const listUsers = {
  section: 'users',
  method: 'GET',
  path: '/v1/users',
  entry: 'users/list-users',
  reach: 'api',
  summary: 'Lists the users of the tenant, oldest first, or those that fit a search',
  auth: ['client', 'admin'],
  permissions: READ,
  cors: 'none',
  input: { query: UserSearchQuery },
  output: { status: 200, json: UserListResponse },
  dialect: 'numeric',
  errors: [],
  uses: ['userRecords'],
} as const satisfies Operation;

export const getUser = {
  section: 'users',
  method: 'GET',
  path: '/v1/users/{userId}',
  entry: 'users/get-user',
  reach: 'api',
  summary: 'Shows a user',
  auth: ['client', 'admin'],
  permissions: READ,
  cors: 'none',
  input: { path: UserIdPath },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found'],
  uses: ['users'],
} as const satisfies Operation;

export const exportUser = {
  section: 'users',
  method: 'GET',
  path: '/v1/users/{userId}/export',
  entry: 'users/export-user',
  reach: 'api',
  summary: 'Shows everything that is kept about a user: record, memberships, keys, sessions, timeline',
  auth: ['client', 'admin'],
  permissions: READ,
  cors: 'none',
  input: { path: UserIdPath },
  output: { status: 200, json: UserExportResponse },
  dialect: 'numeric',
  errors: ['user_not_found'],
  uses: ['users', 'membershipRecords', 'passkeyRecords', 'deviceKeys', 'sessions', 'timeline'],
} as const satisfies Operation;

export const getUserByUsername = {
  section: 'users',
  method: 'GET',
  path: '/v1/users/username/{username}',
  entry: 'users/get-user-by-username',
  reach: 'api',
  summary: 'Shows the user of a username',
  auth: ['client', 'admin'],
  permissions: READ,
  cors: 'none',
  input: { path: UsernamePath },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found'],
  uses: ['identifiers', 'users'],
} as const satisfies Operation;

export const getUserByEmail = {
  section: 'users',
  method: 'GET',
  path: '/v1/users/email/{email}',
  entry: 'users/get-user-by-email',
  reach: 'api',
  summary: 'Shows the user of an email address',
  auth: ['client', 'admin'],
  permissions: READ,
  cors: 'none',
  input: { path: EmailPath },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found'],
  uses: ['identifiers', 'users'],
} as const satisfies Operation;

export const getUserByPhoneNumber = {
  section: 'users',
  method: 'GET',
  path: '/v1/users/phone-number/{phoneNumber}',
  entry: 'users/get-user-by-phone-number',
  reach: 'api',
  summary: 'Shows the user of a phone number',
  auth: ['client', 'admin'],
  permissions: READ,
  cors: 'none',
  input: { path: PhoneNumberPath },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found'],
  uses: ['identifiers', 'users'],
} as const satisfies Operation;

export const updateUser = {
  section: 'users',
  method: 'PUT',
  path: '/v1/users/{userId}',
  entry: 'users/update-user',
  reach: 'api',
  summary: 'Changes the given fields of a user; null removes a field',
  auth: ['client', 'admin'],
  permissions: EDIT,
  cors: 'none',
  input: { path: UserIdPath, json: UpdateUserBody },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found', 'identifier_taken', 'concurrent_change'],
  uses: ['userRecords', 'identifierClaims', 'sessions', 'windows', 'mailer'],
} as const satisfies Operation;

export const setPhoneRisk = {
  section: 'users',
  method: 'PUT',
  path: '/v1/users/{userId}/phone-risk',
  entry: 'users/set-phone-risk',
  reach: 'api',
  summary:
    'Notes that the phone number of a user may be in other hands: no code by text counts until it is cleared',
  auth: ['client', 'admin'],
  permissions: EDIT,
  cors: 'none',
  input: { path: UserIdPath, json: PhoneRiskBody },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found', 'user_phone_number_missing', 'concurrent_change'],
  uses: ['userRecords'],
} as const satisfies Operation;

export const clearPhoneRisk = {
  section: 'users',
  method: 'DELETE',
  path: '/v1/users/{userId}/phone-risk',
  entry: 'users/clear-phone-risk',
  reach: 'api',
  summary: 'Says that the phone number of a user is theirs again',
  auth: ['client', 'admin'],
  permissions: EDIT,
  cors: 'none',
  input: { path: UserIdPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['user_not_found', 'concurrent_change'],
  uses: ['userRecords'],
} as const satisfies Operation;

export const deleteUser = {
  section: 'users',
  method: 'DELETE',
  path: '/v1/users/{userId}',
  entry: 'users/delete-user',
  reach: 'api',
  summary: 'Erases a user with everything that belongs to them',
  auth: ['client', 'admin'],
  permissions: DELETE,
  cors: 'none',
  input: { path: UserIdPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['user_not_found', 'concurrent_change'],
  uses: [
    'userRecords',
    'identifierClaims',
    'applicationRecords',
    'otps',
    'sessions',
    'passkeyRecords',
    'windowRecords',
    'knownDeviceRecords',
    'timeline',
  ],
} as const satisfies Operation;
