import { dates, type Fields, text } from './field.ts';

/** `support` and `developer` do not include each other. */
const OPERATOR_ROLES = ['viewer', 'support', 'developer', 'admin'] as const;

/** The link of an invitation, which counts once: in the browser in which its button was pressed first. */
export const invitationFields = {
  /** SHA-256 of the link's secret, base64url. */
  hash: { kind: 'text', always: true },
  /** SHA-256 of the secret of its browser, base64url. */
  browserHash: text,
  expiresAt: { kind: 'number', always: true },
} as const satisfies Fields;

/** What a person of the operators' tenant may do in another tenant. */
export const operatorFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  role: { kind: 'choice', of: OPERATOR_ROLES, always: true },
  /** `enrolled`: the person has a passkey and a second kind. The role counts once it is `active`. */
  state: { kind: 'choice', of: ['invited', 'enrolled', 'active'], always: true, access: 'read' },
  /** The user ID of an operator, or the name of AWS credentials. */
  invitedBy: { kind: 'text', always: true, access: 'read' },
  invitation: { kind: 'record', of: invitationFields, access: 'none' },
  ...dates,
} as const satisfies Fields;
