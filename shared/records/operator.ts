import { dates, type Fields, number } from './field.ts';

/** `support` and `developer` do not include each other. */
const OPERATOR_ROLES = ['viewer', 'support', 'developer', 'admin'] as const;

/** The link of an invitation. */
export const invitationFields = {
  /** SHA-256 of the link's secret, base64url. */
  hash: { kind: 'text', always: true },
  expiresAt: { kind: 'number', always: true },
} as const satisfies Fields;

/**
 * What an invited person has done with the link. An item apart from the grant: the function that writes it is open to strangers
 * and must not be able to write a role or its state.
 */
export const enrolmentFields = {
  userId: { kind: 'text', always: true },
  tenantId: { kind: 'text', always: true },
  /** The `hash` of the invitation; an enrolment by an earlier link is void. */
  hash: { kind: 'text', always: true },
  /** SHA-256 of the secret of the browser in which the button was pressed first, base64url. */
  browserHash: { kind: 'text', always: true },
  /** Epoch seconds. Absent: the person has no passkey and second kind yet. */
  enrolledAt: number,
} as const satisfies Fields;

/** What a person of the operators' tenant may do in another tenant. */
export const operatorFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  role: { kind: 'choice', of: OPERATOR_ROLES, always: true },
  /** `enrolled` is shown for an `invited` person whose enrolment is complete. The role counts once it is `active`. */
  state: { kind: 'choice', of: ['invited', 'enrolled', 'active'], always: true, access: 'read' },
  /** The user ID of an operator, or the name of AWS credentials. */
  invitedBy: { kind: 'text', always: true, access: 'read' },
  invitation: { kind: 'record', of: invitationFields, access: 'none' },
  ...dates,
} as const satisfies Fields;
