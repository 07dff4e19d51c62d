import {
  APPROVAL_SECONDS,
  BINDING_MAX_AGE_SECONDS,
  SECONDS_PER_MINUTE,
} from '../../shared/domain/basis/limits.ts';
import { EXECUTE } from '../../shared/domain/oauth/permission-sets.ts';
import type { Operation } from '../../shared/operation.ts';
import { COMPLETE_LOGIN, OWN_USER } from '../../shared/ports/verbs.ts';
import {
  AuthenticateApprovalBody,
  CreateDeviceKeyBody,
  DeviceKeyListResponse,
  DeviceKeyPath,
  DeviceKeyResponse,
  StartApprovalBody,
  StartApprovalResponse,
} from '../../shared/schemas/approvals.ts';
import { TokenResponse } from '../../shared/schemas/tokens.ts';

/** Approvals that a key on the user's device signs. */

/** What every row here has. */
const approvals = { section: 'approvals', reach: 'api', cors: 'none', dialect: 'numeric' } as const;

export const createDeviceKey = {
  ...approvals,
  method: 'POST',
  path: '/v1/auth/device-keys',
  event: 'approvals/create-device-key',
  file: 'approvals/device-keys',
  summary: 'Registers the public key of a device of the user',
  description: `Registers a public key of the user's device, which then signs approvals. It needs a user token of a fresh login: ${BINDING_MAX_AGE_SECONDS / SECONDS_PER_MINUTE} minutes old at most by default, by two kinds of factors if the user has two. Otherwise it is 401 \`insufficient_user_authentication\`. More keys than a user may have are 409.`,
  auth: 'user',
  input: { json: CreateDeviceKeyBody },
  output: { status: 201, json: DeviceKeyResponse },
  errors: ['too_many_credentials', 'insufficient_user_authentication'],
  audit: 'device_key.added',
  uses: [...OWN_USER, 'applications', 'passkeys.listOf', 'deviceKeys.put', 'deviceKeys.listOf'],
} as const satisfies Operation;

export const listDeviceKeys = {
  ...approvals,
  method: 'GET',
  path: '/v1/auth/device-keys',
  event: 'approvals/list-device-keys',
  file: 'approvals/device-keys',
  summary: 'Lists the device keys of the user',
  description:
    'Lists the device keys of the user whose token is sent. There are no parameters and no pages. A token that is no longer good is 401.',
  auth: 'user',
  input: {},
  output: { status: 200, json: DeviceKeyListResponse },
  errors: [],
  uses: [...OWN_USER, 'deviceKeys.listOf'],
} as const satisfies Operation;

export const deleteDeviceKey = {
  ...approvals,
  method: 'DELETE',
  path: '/v1/auth/device-keys/{keyId}',
  event: 'approvals/delete-device-key',
  file: 'approvals/device-keys',
  summary: 'Removes a device key of the user',
  description:
    'Removes a device key of the user whose token is sent; it signs nothing from then on. It needs a fresh login, else it is 401 `insufficient_user_authentication`, as is a key that the application has not bound for a login that counts there alone. An unknown key is 404.',
  auth: 'user',
  input: { path: DeviceKeyPath },
  output: { status: 204 },
  errors: ['device_key_not_found', 'insufficient_user_authentication'],
  audit: 'device_key.removed',
  uses: [...OWN_USER, 'applications', 'passkeys.listOf', 'deviceKeys.find', 'deviceKeys.remove'],
} as const satisfies Operation;

export const startApproval = {
  ...approvals,
  method: 'POST',
  path: '/v1/auth/approvals/start',
  event: 'approvals/start',
  file: 'approvals/approvals',
  summary: 'Opens an approval for a device key to sign',
  description: `Opens an approval: data that a device key of the user is to sign. It answers with a \`challenge\`, which the device signs as it is within ${APPROVAL_SECONDS / SECONDS_PER_MINUTE} minutes. An unknown user or key is 404.`,
  auth: 'client',
  permissions: EXECUTE,
  input: { json: StartApprovalBody },
  output: { status: 200, json: StartApprovalResponse },
  errors: ['user_not_found', 'user_not_active', 'device_key_not_found'],
  uses: ['users.find', 'deviceKeys.find', 'approvals.put'],
} as const satisfies Operation;

export const authenticateApproval = {
  ...approvals,
  method: 'POST',
  path: '/v1/auth/approvals/authenticate',
  event: 'approvals/authenticate',
  file: 'approvals/approvals',
  summary: 'Validates what a device key signed and returns user tokens',
  description:
    'Verifies what a device key signed and answers with tokens of the user. `signing_artifacts` prove the approval to anyone, and `approval_data` is in the ID token. An approval counts once: a wrong signature, and one that is used or expired, is 400.',
  auth: 'client',
  permissions: EXECUTE,
  input: { json: AuthenticateApprovalBody },
  output: { status: 200, json: TokenResponse },
  errors: [
    'approval_invalid',
    'credential_asleep',
    'login_user_gone',
    'session_not_found',
    'resource_not_found',
    'membership_missing',
    'user_not_active',
  ],
  audit: 'login.succeeded',
  takesCredential: true,
  uses: [...COMPLETE_LOGIN, 'approvals.find', 'approvals.consume', 'deviceKeys.find', 'deviceKeys.settle'],
} as const satisfies Operation;
