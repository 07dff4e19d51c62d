import { dates, type Fields, text } from './field.ts';
import { profileFields } from './profile.ts';

export const customIdentifierFields = {
  type: { kind: 'text', always: true },
  value: { kind: 'text', always: true },
} as const satisfies Fields;

/** ID of the user in the backend of an application. Each application has its own name space. */
export const externalIdFields = {
  applicationId: { kind: 'text', always: true, wire: 'application', stored: 'app_id' },
  value: { kind: 'text', always: true },
  /** True if an operator imported the ID with proofs of the former system, whose sessions then identify the user by it. */
  isImported: { kind: 'flag', access: 'none', stored: 'imported' },
} as const satisfies Fields;

/** Account of a user at a social provider. */
export const accountFields = {
  provider: { kind: 'text', always: true },
  /** Issuer that the application has set for the provider. Absent: the provider's own. */
  issuer: text,
  subject: { kind: 'text', always: true },
} as const satisfies Fields;

/**
 * Pending recovery: factor types that the user has lost or that others may control. Until `effectiveAt`, adding credentials
 * still requires them, from then on no more (NIST SP 800-63B-4 §4.2). Until `endsAt`, a login with one of them or the link in
 * the notice cancels the recovery.
 */
export const waitFields = {
  cause: { kind: 'choice', of: ['lost', 'risk', 'granted'], always: true, access: 'none' },
  kinds: { kind: 'texts', of: ['mail', 'phone', 'passkey', 'social'], always: true, access: 'none' },
  since: { kind: 'date', always: true, access: 'read', wire: 'requested_at' },
  effectiveAt: { kind: 'date', always: true, access: 'read' },
  endsAt: { kind: 'date', always: true, access: 'read' },
} as const satisfies Fields;

/** Deletion of an account by its user. It cannot log in, and is erased at `effectiveAt`. Until then it can be restored. */
export const erasureFields = {
  erasureId: { kind: 'text', always: true },
  requestedAt: { kind: 'number', always: true },
  effectiveAt: { kind: 'number', always: true },
  /** True if the erasure is in progress and can no longer be undone. */
  hasBegun: { kind: 'flag', always: true },
} as const satisfies Fields;

/** Fields of a user without special rules. Addresses, accounts, changes and recoveries are in ports/people.ts. */
export const userFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'none' },
  /** Status of the user. Requests may only set `Active` and `Disabled`. */
  status: { kind: 'choice', of: ['Pending', 'Active', 'Disabled'], always: true, access: 'read' },
  ...profileFields,
  /** IDs of the user in applications' backends. The caller determines which of them are visible and can be set. */
  externalIds: { kind: 'records', of: externalIdFields, always: true, access: 'none' },
  customIdentifiers: {
    kind: 'records',
    of: customIdentifierFields,
    always: true,
    default: [],
    operators: 'guarded',
    personal: true,
  },
  roles: { kind: 'texts', always: true, default: [], operators: 'guarded' },
  /** IDs of applications that created the user or got tokens for them; at most two, because more make no difference. */
  applications: { kind: 'texts', always: true, access: 'read' },
  ...dates,
  lastAuthAt: { kind: 'date', access: 'read', wire: 'last_auth' },
  /** Epoch seconds at which a session of the former system was exchanged for one here, which is possible only once. */
  movedAt: { kind: 'date', access: 'none' },
  /** Keyed hashes of all email addresses that the user has proven and since lost. They are kept permanently. */
  formerEmails: { kind: 'texts', always: true, access: 'none' },
  wait: { kind: 'record', of: waitFields, access: 'read', wire: 'recovery' },
  erasure: { kind: 'record', of: erasureFields, access: 'none' },
  /** True for a user created for tests, which cannot change. Codes are not sent but read with the API, and no data is real. */
  isTest: { kind: 'flag', access: 'read', wire: 'test' },
} as const satisfies Fields;
