import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { AddressType } from '../../records/channels.ts';
import { listAddresses } from '../identifiers/stored-address.ts';

// Test users, for tests of a deployed environment: the test reads their codes through the API. Their addresses belong to no
// real person.

/** Patterns of addresses that belong to no real person, and the rule that the error message states. */
const RESERVED: Readonly<Record<AddressType, { readonly form: RegExp; readonly rule: string }>> = {
  /** Email address with a tag, at a domain that cannot be registered (RFC 2606, RFC 6761). */
  email: {
    form: /^[^@+]+\+[^@]+@(?:(?:.+\.)?example\.(?:com|net|org)|(?:.+\.)?(?:test|example|invalid|localhost))$/i,
    rule: 'must be like name+tag@example.com',
  },
  /** Fictitious phone number: 555-0100 to 555-0199 in any area code (reserved by NANPA). */
  phone_number: {
    form: /^\+1[2-9]\d{2}55501\d{2}$/,
    rule: 'must be +1, an area code, and 5550100 to 5550199',
  },
};

const MAKE_TEST_USERS = 'users:test';

/**
 * Rejects a caller who must not create test users. The environment must also allow test users; otherwise, the application's
 * setting has no effect. Errors: `insufficient_permission`.
 */
export function requireMayMakeTestUser(caller: ClientCaller | AdminCaller): void {
  const isAllowed =
    caller.kind === 'client' &&
    caller.permissions.includes(MAKE_TEST_USERS) &&
    caller.application.testIdentities === true;
  if (!isAllowed)
    throw new ServiceError('insufficient_permission', {
      message: `test: requires a client with ${MAKE_TEST_USERS}, and test_identities of its application and its environment`,
    });
}

/**
 * Rejects data that a test user must not have, in all operations, pages and commands. Otherwise, readers of test codes could
 * read the codes of a real address, or get the rights of a role, group or external ID. Errors: `system_invalid_input`.
 */
export function requireTestDataOnly<Kept extends User>(user: Kept): Kept {
  if (!user.isTest) return user;
  const { roles, groups, identities, externalIds, customIdentifiers, customAppData } = user;
  const refuse = (field: string, rule: string) => {
    throw invalidInput(`${field}: ${rule}, for a test user`);
  };
  const addresses = listAddresses(user);
  for (const { type, address } of addresses)
    if (!RESERVED[type].form.test(address.value)) refuse(type, RESERVED[type].rule);
  if (addresses.length === 0) refuse('email', 'or phone_number is required');
  if (roles.length > 0) refuse('roles', 'must be empty');
  if (groups.length > 0) refuse('groups', 'must be empty');
  if (identities.length > 0) refuse('identities', 'must be empty');
  if (customIdentifiers.length > 0) refuse('custom_identifiers', 'must be empty');
  if (externalIds.length > 0) refuse('external_user_id', 'must be absent');
  if (customAppData !== undefined) refuse('custom_app_data', 'must be absent');
  return user;
}

/** Returns false for a test user at an application without test users. The error is then the same as for a disabled user. */
export const canLogInAt = (user: User, { testIdentities }: Pick<Application, 'testIdentities'>): boolean =>
  !user.isTest || testIdentities === true;
