import { dates, type Fields, number } from './field.ts';

/** Roles of operators. Neither `support` nor `developer` includes the rights of the other. */
const OPERATOR_ROLES = ['viewer', 'support', 'developer', 'admin'] as const;

/** Steps in the enrolment of an invited person, in order. The steps are not stored. */
export const ENROLMENT_STEPS = ['accepted', 'address_verified', 'passkey_registered'] as const;

/** Stored fields of an operator's invitation link. The secret of the link is stored only as a hash. */
export const invitationFields = {
  /** SHA-256 of the link's secret, base64url. */
  hash: { kind: 'text', always: true },
  expiresAt: { kind: 'number', always: true },
} as const satisfies Fields;

/**
 * Enrolment of an invited person. It is stored apart from the grant, because unauthenticated callers can trigger these writes.
 * The function that writes it must not be able to change the role or state of the grant.
 */
export const enrolmentFields = {
  userId: { kind: 'text', always: true },
  tenantId: { kind: 'text', always: true },
  /** Hash of the secret in the invitation link that was used. If a newer link exists, the enrolment is invalid. */
  hash: { kind: 'text', always: true },
  /** SHA-256 (base64url) of the browser's secret. Only the browser that accepted the invitation first can use it. */
  browserHash: { kind: 'text', always: true },
  /** Time of the enrolment in epoch seconds. Undefined until the person has both a passkey and a second factor. */
  enrolledAt: number,
} as const satisfies Fields;

/** Grant that gives a user of the operators' tenant a role in another tenant. */
export const operatorFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  role: { kind: 'choice', of: OPERATOR_ROLES, always: true },
  /**
   * State of the grant. An `invited` person who has completed the enrolment is shown as `enrolled`. The role applies only in
   * the state `active`.
   */
  state: { kind: 'choice', of: ['invited', 'enrolled', 'active'], always: true, access: 'read' },
  /** User ID of the operator who sent the invitation, or the name of the AWS credentials with which it was sent. */
  invitedBy: { kind: 'text', always: true, access: 'read' },
  invitation: { kind: 'record', of: invitationFields, access: 'none' },
  ...dates,
} as const satisfies Fields;
