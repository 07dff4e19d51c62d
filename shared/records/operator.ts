import { dates, type Fields, number } from './field.ts';

/** Roles of operators. `support` and `developer` do not include each other. */
const OPERATOR_ROLES = ['viewer', 'support', 'developer', 'admin'] as const;

/** Link of an invitation. */
export const invitationFields = {
  /** SHA-256 of the link's secret, base64url. */
  hash: { kind: 'text', always: true },
  expiresAt: { kind: 'number', always: true },
} as const satisfies Fields;

/**
 * Enrolment of an invited person. It is an item separate from the grant: the function that writes it is open to everyone and
 * must not be able to write a role or its state.
 */
export const enrolmentFields = {
  userId: { kind: 'text', always: true },
  tenantId: { kind: 'text', always: true },
  /** `hash` of the invitation. An enrolment with an earlier link is invalid. */
  hash: { kind: 'text', always: true },
  /** SHA-256, base64url, of the secret of the browser in which the button was pressed first. */
  browserHash: { kind: 'text', always: true },
  /** Epoch seconds at which the person enrolled. Absent: the person does not have a passkey and a second factor yet. */
  enrolledAt: number,
} as const satisfies Fields;

/** Rights of a user of the operators' tenant in another tenant. */
export const operatorFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  role: { kind: 'choice', of: OPERATOR_ROLES, always: true },
  /**
   * State of the grant. `enrolled` is shown for an `invited` person whose enrolment is complete. The role is valid once the
   * state is `active`.
   */
  state: { kind: 'choice', of: ['invited', 'enrolled', 'active'], always: true, access: 'read' },
  /** User ID of an operator, or the name of AWS credentials. */
  invitedBy: { kind: 'text', always: true, access: 'read' },
  invitation: { kind: 'record', of: invitationFields, access: 'none' },
  ...dates,
} as const satisfies Fields;
