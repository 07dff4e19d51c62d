import { dates, type Fields, text } from './field.ts';
import { profileFields } from './profile.ts';

export const customIdentifierFields = {
  type: { kind: 'text', always: true },
  value: { kind: 'text', always: true },
} as const satisfies Fields;

/** What the backend of an application calls the user: each application has its own name space. */
export const externalIdFields = {
  applicationId: { kind: 'text', always: true, wire: 'application', stored: 'app_id' },
  value: { kind: 'text', always: true },
  /** An operator has imported it with what the former system has proven: sessions of that system lead to the user by it. */
  isImported: { kind: 'flag', access: 'none', stored: 'imported' },
} as const satisfies Fields;

/** An account at a social provider. */
export const accountFields = {
  provider: { kind: 'text', always: true },
  /** The issuer that the application has set for the provider; absent: the provider's own. */
  issuer: text,
  subject: { kind: 'text', always: true },
} as const satisfies Fields;

/**
 * What the user has lost, or may be in other hands. Until `effectiveAt` binding asks for these kinds as before; from then on no
 * more (NIST SP 800-63B-4 §4.2). Until `endsAt` a login by one of them, or the link of the notice, ends it.
 */
export const waitFields = {
  cause: { kind: 'choice', of: ['lost', 'risk', 'granted'], always: true, access: 'none' },
  kinds: { kind: 'texts', of: ['mail', 'phone', 'passkey', 'social'], always: true, access: 'none' },
  since: { kind: 'date', always: true, access: 'read', wire: 'requested_at' },
  effectiveAt: { kind: 'date', always: true, access: 'read' },
  endsAt: { kind: 'date', always: true, access: 'read' },
} as const satisfies Fields;

/** The user has deleted their own account: nothing logs in, and at `effectiveAt` it is erased. Until then it can be undone. */
export const erasureFields = {
  erasureId: { kind: 'text', always: true },
  requestedAt: { kind: 'number', always: true },
  effectiveAt: { kind: 'number', always: true },
  /** The user is being erased: it can be undone no more. */
  hasBegun: { kind: 'flag', always: true },
} as const satisfies Fields;

/** What is plain of a user. Addresses, accounts, changes and waits have rules of their own: ports/people.ts. */
export const userFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'none' },
  /** Requests take two of these. */
  status: { kind: 'choice', of: ['Pending', 'Active', 'Disabled'], always: true, access: 'read' },
  ...profileFields,
  /** Which of them a caller sees and sets depends on the caller. */
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
  /** The applications that made the user or got their tokens; two at most, because more make no difference. */
  applications: { kind: 'texts', always: true, access: 'read' },
  ...dates,
  lastAuthAt: { kind: 'date', access: 'read', wire: 'last_auth' },
  /** When a session of the former system was exchanged for one here; once ever. */
  movedAt: { kind: 'date', access: 'none' },
  /** Keyed hashes of the email addresses that the user has proven and given up, for good. */
  formerEmails: { kind: 'texts', always: true, access: 'none' },
  wait: { kind: 'record', of: waitFields, access: 'read', wire: 'recovery' },
  erasure: { kind: 'record', of: erasureFields, access: 'none' },
  /** Made for tests, for good: its codes are not sent but read by API, and it has nothing that is real. */
  isTest: { kind: 'flag', access: 'read', wire: 'test' },
} as const satisfies Fields;
