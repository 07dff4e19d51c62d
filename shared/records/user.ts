import { dates, type Fields, type Json } from './field.ts';

export const customIdentifierFields = {
  type: { kind: 'text', always: true },
  value: { kind: 'text', always: true },
} as const satisfies Fields;

/** What the backend of an application calls the user: each application has its own name space. */
export const externalIdFields = {
  applicationId: { kind: 'text', always: true, wire: 'application', stored: 'app_id' },
  value: { kind: 'text', always: true },
} as const satisfies Fields;

/** `name` of requests and answers. */
export const nameFields = {
  firstName: { kind: 'text', claim: 'given_name' },
  lastName: { kind: 'text', claim: 'family_name' },
} as const satisfies Fields;

/** What is plain of a user. Addresses, accounts, changes and waits have rules of their own: ports/people.ts. */
export const userFields = {
  userId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'none' },
  /** Requests take two of these. */
  status: { kind: 'choice', of: ['Pending', 'Active', 'Disabled'], always: true, access: 'read' },
  username: { kind: 'text', claim: 'username' },
  /** Which of them a caller sees and sets depends on the caller. */
  externalIds: { kind: 'records', of: externalIdFields, always: true, access: 'none' },
  customIdentifiers: { kind: 'records', of: customIdentifierFields, always: true, default: [] },
  picture: { kind: 'text', claim: 'picture' },
  language: { kind: 'text', claim: 'locale' },
  groups: { kind: 'texts', always: true, default: [], claim: 'groups' },
  roles: { kind: 'texts', always: true, default: [] },
  customAppData: { kind: 'json' } as Json<Readonly<Record<string, unknown>>, unknown>,
  /** The applications that made the user or got their tokens; two at most, because more make no difference. */
  applications: { kind: 'texts', always: true, access: 'read' },
  ...dates,
  lastAuthAt: { kind: 'date', access: 'read', wire: 'last_auth' },
  /** Keyed hashes of the email addresses that the user has proven and given up, for good. */
  formerEmails: { kind: 'texts', always: true, access: 'none' },
  /** Made for tests, for good: its codes are not sent but read by API, and it has nothing that is real. */
  isTest: { kind: 'flag', access: 'read', wire: 'test' },
} as const satisfies Fields;
