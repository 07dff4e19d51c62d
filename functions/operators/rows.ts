import { INVITATION_HOURS } from '../../shared/domain/operators/invitation.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { DIRECTORY, NEW_USER, OWN_USER } from '../../shared/ports/verbs.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';
import {
  InvitationQuery,
  InviteOperatorBody,
  OperatorListResponse,
  OperatorPath,
  OperatorResponse,
  OwnOperatorResponse,
  UpdateOperatorBody,
} from '../../shared/schemas/tenants.ts';

const operators = {
  file: 'operators/operators',
  section: 'operators',
  reach: 'api',
  auth: 'operator',
  operators: 'guarded',
  cors: 'none',
  dialect: 'numeric',
} as const;

export const listOperators = {
  ...operators,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/operators',
  summary: 'Lists the operators of the tenant, oldest first',
  description:
    'Returns the people with a role in the tenant page by page. People who were invited and are not confirmed yet are included, with what they have done so far.',
  input: { query: PageQuery },
  output: { status: 200, json: OperatorListResponse },
  errors: [],
  uses: ['operatorRecords.list', 'operatorEnrolments.find', 'users.find', 'passkeys.listOf'],
} as const satisfies OperationRow;

export const inviteOperator = {
  ...operators,
  method: 'POST',
  path: '/v1/operators',
  summary: 'Invites a person to operate the tenant',
  description: `The person receives an email with a link that can be used once within ${INVITATION_HOURS} hours, verifies the address and registers a passkey. The role takes effect once an admin has confirmed that. An invitation that is not confirmed yet is replaced by a new one; a person who already operates the tenant is 409.`,
  input: { json: InviteOperatorBody },
  output: { status: 201, json: OperatorResponse },
  errors: ['already_member', 'concurrent_change', 'identifier_taken', 'in_use', 'tenant_not_found'],
  audit: 'operator.invited',
  uses: [
    'operatorRecords.put',
    'operatorRecords.find',
    'operatorRecords.replace',
    ...NEW_USER,
    'identifiers',
    'users.find',
    'tenants',
  ],
} as const satisfies OperationRow;

const ofOne = { ...operators, record: 'userId', errors: ['member_not_found', 'concurrent_change'] } as const;
const CHANGE = [
  'operatorRecords.find',
  'operatorRecords.replace',
  'operatorEnrolments.find',
  'users.find',
] as const;

export const setOperatorRole = {
  ...ofOne,
  method: 'PUT',
  path: '/v1/operators/{userId}',
  summary: 'Gives an operator another role',
  description:
    'The role applies to the next call that changes something, and within a minute to all other calls. All admins are notified by email.',
  input: { path: OperatorPath, json: UpdateOperatorBody },
  output: { status: 200, json: OperatorResponse },
  uses: CHANGE,
} as const satisfies OperationRow;

export const confirmOperator = {
  ...ofOne,
  method: 'POST',
  path: '/v1/operators/{userId}/confirmation',
  summary: 'Confirms the role of a person who has enrolled',
  description:
    'First make sure that the right person has enrolled: anyone who can read their email could have done it. Until the person has enrolled, the response is 409.',
  input: { path: OperatorPath },
  output: { status: 201, json: OperatorResponse },
  errors: ['member_not_found', 'concurrent_change', 'in_use'],
  uses: [...CHANGE, 'operatorEnrolments.remove'],
} as const satisfies OperationRow;

export const removeOperator = {
  ...ofOne,
  method: 'DELETE',
  path: '/v1/operators/{userId}',
  summary: 'Removes the role of an operator',
  description:
    "Calls of the person that change something are rejected at once, and calls that read within a minute. With the last role the person's passkeys and sessions are removed too, so that a new invitation starts from the beginning.",
  input: { path: OperatorPath },
  output: { status: 204 },
  errors: ['member_not_found'],
  uses: [
    'operatorRecords.remove',
    'operatorEnrolments.remove',
    'operators.listOfUser',
    'passkeyRecords.forgetAllOf',
    'sessions.endAllOf',
  ],
} as const satisfies OperationRow;

export const ownOperator = {
  section: 'operators',
  reach: 'api',
  auth: 'user',
  cors: 'none',
  dialect: 'numeric',
  method: 'GET',
  path: '/v1/operator',
  file: 'operators/own-operator',
  summary: 'Returns the operator of the access token and the tenants that the operator may manage',
  description:
    'Accepts the token of an operator login, without the header `OTL-Tenant`. Any other user is 403.',
  input: {},
  output: { status: 200, json: OwnOperatorResponse },
  errors: ['insufficient_permission'],
  uses: [...OWN_USER, 'operators.listOfUser', 'tenants'],
} as const satisfies OperationRow;

/** Definition fields shared by the operations for invitations, which the browser of the invited person calls. */
const invitation = {
  section: 'operators',
  file: 'operators/invitation',
  reach: 'browser',
  behindApi: true,
  auth: 'none',
  cors: 'none',
  dialect: 'numeric',
  path: '/operator-invitation',
  input: { query: InvitationQuery },
  errorPage: 'link',
} as const;

export const invitationPage = {
  ...invitation,
  method: 'GET',
  summary: 'Shows an invitation to operate a tenant',
  description:
    'The email of an invitation contains this address. Opening it changes nothing, because mail scanners open links. After the login in the browser that accepted the invitation, it records that the person has enrolled. An unknown or expired link is a page with status 404.',
  output: { status: 200, html: true },
  errors: ['link_not_found'],
  uses: [
    ...DIRECTORY,
    'operatorRecords.find',
    'operatorEnrolments.find',
    'operatorEnrolments.complete',
    'sessions.find',
    'users.find',
    'passkeys.listOf',
  ],
} as const satisfies OperationRow;

export const acceptInvitation = {
  ...invitation,
  method: 'POST',
  summary: 'Accepts an invitation, in the browser that calls it first',
  description:
    'Binds the invitation to the browser and starts a login that verifies the address and registers a passkey, then returns here. Called again after that, it returns to the page, which records that the person has enrolled. In another browser the response is a page with status 400.',
  output: { status: 303, html: true },
  errors: ['link_not_found'],
  uses: [
    ...DIRECTORY,
    'operatorRecords.find',
    'operatorEnrolments.find',
    'operatorEnrolments.bind',
    'sessions.find',
    'users.find',
    'passkeys.listOf',
    'loginTransactions.put',
  ],
} as const satisfies OperationRow;
