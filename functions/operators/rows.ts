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

/** Rows of the table for operators: an admin administers those of the tenant, and each sees who they are. */

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
    'Answers the people with a role in the tenant by pages. Those who were invited and are not confirmed stand there, too.',
  input: { query: PageQuery },
  output: { status: 200, json: OperatorListResponse },
  errors: [],
  uses: ['operatorRecords.list', 'operatorEnrolments.find', 'users.find'],
} as const satisfies OperationRow;

export const inviteOperator = {
  ...operators,
  method: 'POST',
  path: '/v1/operators',
  summary: 'Invites a person to operate the tenant',
  description: `The person gets a mail with a link that counts once and for ${INVITATION_HOURS} hours, proves the address and makes a passkey. The role counts once an admin has confirmed that. An invitation that nobody has confirmed begins anew; 409 for who operates the tenant already.`,
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
    'The role counts from the next call on that changes something, and within a minute for all others. All admins are told by mail.',
  input: { path: OperatorPath, json: UpdateOperatorBody },
  output: { status: 200, json: OperatorResponse },
  uses: CHANGE,
} as const satisfies OperationRow;

export const confirmOperator = {
  ...ofOne,
  method: 'POST',
  path: '/v1/operators/{userId}/confirmation',
  summary: 'Lets the role of a person count who has enrolled',
  description:
    'Make sure first that it is the person: whoever reads their mail could have enrolled. 409 until they have.',
  input: { path: OperatorPath },
  output: { status: 201, json: OperatorResponse },
  errors: ['member_not_found', 'concurrent_change', 'in_use'],
  uses: [...CHANGE, 'operatorEnrolments.remove'],
} as const satisfies OperationRow;

export const removeOperator = {
  ...ofOne,
  method: 'DELETE',
  path: '/v1/operators/{userId}',
  summary: 'Takes the role of an operator away',
  description:
    'What changes something is refused to the person at once, and what reads within a minute. With the last role their passkeys and sessions go, so that an invitation begins from nothing.',
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
  summary: 'Shows the operator of the access token, and the tenants that they operate',
  description:
    'Takes the token of a login of operators, without the header `OTL-Tenant`. 403 for any other user.',
  input: {},
  output: { status: 200, json: OwnOperatorResponse },
  errors: ['insufficient_permission'],
  uses: [...OWN_USER, 'operators.listOfUser', 'tenants'],
} as const satisfies OperationRow;

/** The invitation in the browser of the invited person. */
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
    'The mail of an invitation holds its address. Opening it changes nothing, because mail scanners open links. An unknown or expired link is a page with status 404.',
  output: { status: 200, html: true },
  errors: ['link_not_found'],
  uses: [...DIRECTORY, 'operatorRecords.find', 'operatorEnrolments.find'],
} as const satisfies OperationRow;

export const acceptInvitation = {
  ...invitation,
  method: 'POST',
  summary: 'Accepts an invitation, in the browser in which it is called first',
  description:
    'Binds the invitation to the browser and leads to a login that proves the address and makes a passkey, and back. Called again after it, it notes that the person has enrolled. In another browser it is a page with status 400.',
  output: { status: 303, html: true },
  errors: ['link_not_found'],
  uses: [
    ...DIRECTORY,
    'operatorRecords.find',
    'operatorEnrolments.find',
    'operatorEnrolments.bind',
    'operatorEnrolments.complete',
    'sessions.find',
    'users.find',
    'passkeys.listOf',
    'loginTransactions.put',
  ],
} as const satisfies OperationRow;
