import {
  APPROVAL_SECONDS,
  BINDING_MAX_AGE_SECONDS,
  SECONDS_PER_MINUTE,
} from '../../shared/domain/basis/limits.ts';
import { EXECUTE_LOGINS } from '../../shared/domain/oauth/permission-sets.ts';
import { LOGIN_ERRORS } from '../../shared/errors/catalogue.ts';
import type { OperationRow } from '../../shared/operation.ts';
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

const approvals = {
  file: 'approvals/approvals',
  section: 'approvals',
  reach: 'api',
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  cors: 'none',
  dialect: 'numeric',
} as const;

const deviceKeys = {
  file: 'approvals/device-keys',
  section: 'approvals',
  reach: 'api',
  auth: 'user',
  cors: 'none',
  dialect: 'numeric',
} as const;

export const createDeviceKey = {
  ...deviceKeys,
  method: 'POST',
  path: '/v1/auth/device-keys',
  summary: "Registers the public key of a user's device",
  description: `Registers a public key of the user's device, which can then sign approvals. The request needs a user token of a fresh login: by default at most ${BINDING_MAX_AGE_SECONDS / SECONDS_PER_MINUTE} minutes old, and with two factor types if the user has two. Otherwise the response is 401 \`insufficient_user_authentication\`. Exceeding the number of keys per user is 409.`,
  input: { json: CreateDeviceKeyBody },
  output: { status: 201, json: DeviceKeyResponse },
  errors: ['too_many_credentials', 'insufficient_user_authentication'],
  audit: 'device_key.added',
  uses: [...OWN_USER, 'applications', 'passkeys.listOf', 'deviceKeys.put', 'deviceKeys.listOf'],
} as const satisfies OperationRow;

export const listDeviceKeys = {
  ...deviceKeys,
  method: 'GET',
  path: '/v1/auth/device-keys',
  summary: 'Lists the device keys of the user',
  description:
    "Lists the device keys of the access token's user. There are no parameters and no pages. An invalid token is 401.",
  input: {},
  output: { status: 200, json: DeviceKeyListResponse },
  errors: [],
  uses: [...OWN_USER, 'deviceKeys.listOf'],
} as const satisfies OperationRow;

export const deleteDeviceKey = {
  ...deviceKeys,
  method: 'DELETE',
  path: '/v1/auth/device-keys/{keyId}',
  summary: 'Removes a device key of the user',
  description:
    "Removes a device key of the access token's user; the key can no longer sign anything. The request needs a fresh login, otherwise the response is 401 `insufficient_user_authentication`. A login that is valid only in this application gets the same error for keys that were not registered through it. An unknown key is 404.",
  input: { path: DeviceKeyPath },
  output: { status: 204 },
  errors: ['device_key_not_found', 'insufficient_user_authentication'],
  audit: 'device_key.removed',
  uses: [...OWN_USER, 'applications', 'passkeys.listOf', 'deviceKeys.find', 'deviceKeys.remove'],
} as const satisfies OperationRow;

export const startApproval = {
  ...approvals,
  method: 'POST',
  path: '/v1/auth/approvals/start',
  event: 'approvals/start',
  summary: 'Starts an approval that a device key signs',
  description: `Starts an approval of data that a device key of the user is to sign. The response contains a \`challenge\`, which the device signs unchanged within ${APPROVAL_SECONDS / SECONDS_PER_MINUTE} minutes. An unknown user or key is 404.`,
  input: { json: StartApprovalBody },
  output: { status: 200, json: StartApprovalResponse },
  errors: ['user_not_found', 'user_not_active', 'device_key_not_found'],
  uses: ['users.find', 'deviceKeys.find', 'approvals.put'],
} as const satisfies OperationRow;

export const authenticateApproval = {
  ...approvals,
  method: 'POST',
  path: '/v1/auth/approvals/authenticate',
  event: 'approvals/authenticate',
  summary: "Verifies a device key's signature and returns user tokens",
  description:
    "Verifies a device key's signature and returns tokens of the user. `signing_artifacts` prove the approval to anyone, and the ID token contains `approval_data`. An approval can be used once: a wrong signature, and a used or expired approval, is 400.",
  input: { json: AuthenticateApprovalBody },
  output: { status: 200, json: TokenResponse },
  errors: ['approval_invalid', 'additional_factor_required', ...LOGIN_ERRORS],
  audit: 'login.succeeded',
  checksCredential: true,
  uses: [
    ...COMPLETE_LOGIN,
    'approvals.find',
    'approvals.consume',
    'approvals.undoConsume',
    'deviceKeys.find',
    'deviceKeys.updateTrust',
  ],
} as const satisfies OperationRow;
