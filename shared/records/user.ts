import { dates, type Fields, text } from './field.ts';
import { profileFields } from './profile.ts';

export const customIdentifierFields = {
  type: { kind: 'text', always: true },
  value: { kind: 'text', always: true },
} as const satisfies Fields;

/** ID of the user in an application's backend. IDs of different applications are independent of each other. */
export const externalIdFields = {
  applicationId: { kind: 'text', always: true, wire: 'application', stored: 'app_id' },
  value: { kind: 'text', always: true },
  /**
   * True if an operator has imported this ID together with proofs from a previous system. Sessions of that system then identify
   * the user by this ID.
   */
  isImported: { kind: 'flag', access: 'none', stored: 'imported' },
} as const satisfies Fields;

/** Account of a user at a social provider. */
export const accountFields = {
  provider: { kind: 'text', always: true },
  /** Issuer that the application has configured for the provider. Undefined means the provider's own issuer. */
  issuer: text,
  subject: { kind: 'text', always: true },
} as const satisfies Fields;

/**
 * Pending recovery of an account: factor types that the user has lost or that another person may control. Until `effectiveAt`,
 * adding credentials still requires these factor types; afterwards they are optional (NIST SP 800-63B-4 §4.2). Until `endsAt`,
 * a login with one of these factor types or the link in the notice cancels the recovery.
 */
export const recoveryFields = {
  cause: { kind: 'choice', of: ['lost', 'risk', 'granted'], always: true, access: 'none' },
  kinds: { kind: 'texts', of: ['mail', 'phone', 'passkey', 'social'], always: true, access: 'none' },
  since: { kind: 'date', always: true, access: 'read', wire: 'requested_at' },
  effectiveAt: { kind: 'date', always: true, access: 'read' },
  endsAt: { kind: 'date', always: true, access: 'read' },
} as const satisfies Fields;

/** Deletion of an account by its user. The user cannot log in, and the account can be restored until `effectiveAt`. */
export const erasureFields = {
  erasureId: { kind: 'text', always: true },
  requestedAt: { kind: 'number', always: true },
  effectiveAt: { kind: 'number', always: true },
  /** True if the erasure has started and can no longer be undone. */
  hasBegun: { kind: 'flag', always: true },
} as const satisfies Fields;

/** Stored fields of a user, except addresses, accounts, changes and recoveries, which are defined in ports/people.ts. */
export const userFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'none' },
  /** Status of the user. Requests may set only `Active` and `Disabled`. */
  status: { kind: 'choice', of: ['Pending', 'Active', 'Disabled'], always: true, access: 'read' },
  ...profileFields,
  /** IDs of the user in the backends of applications. A caller can see and set only some of them. */
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
  /**
   * Applications that created the user or issued tokens for the user. At most two are stored, because rules only check whether
   * there is exactly one.
   */
  applications: { kind: 'texts', always: true, access: 'read' },
  ...dates,
  lastAuthAt: { kind: 'date', access: 'read', wire: 'last_auth' },
  /** Time at which a session of the previous system was exchanged for a session here. A user can do this only once. */
  movedAt: { kind: 'date', access: 'none' },
  /** Keyed hashes of all email addresses that the user has verified and later lost. They are kept permanently. */
  formerEmails: { kind: 'texts', always: true, access: 'none' },
  recovery: { kind: 'record', of: recoveryFields, access: 'read', stored: 'wait' },
  erasure: { kind: 'record', of: erasureFields, access: 'none' },
  /**
   * True for a test user. The value never changes. The user's codes are not sent but read through the API, and none of the
   * user's data is real.
   */
  isTest: { kind: 'flag', access: 'read', wire: 'test' },
} as const satisfies Fields;
