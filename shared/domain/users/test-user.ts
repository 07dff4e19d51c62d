import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { AddressType } from '../../records/channels.ts';
import { addressesOf } from '../identifiers/stored-address.ts';

/** Users whose codes a test of a deployed environment reads by API. Whatever they are made of is no one's. */

const RESERVED: Readonly<Record<AddressType, { readonly form: RegExp; readonly rule: string }>> = {
  /** A subaddress at a domain that no one can register (RFC 2606, RFC 6761). */
  email: {
    form: /^[^@+]+\+[^@]+@(?:(?:.+\.)?example\.(?:com|net|org)|(?:.+\.)?(?:test|example|invalid|localhost))$/i,
    rule: 'must be like name+tag@example.com',
  },
  /** 555-0100 to 555-0199 of any area (NANPA: reserved for fiction). */
  phone_number: {
    form: /^\+1[2-9]\d{2}55501\d{2}$/,
    rule: 'must be +1, an area code, and 5550100 to 5550199',
  },
};

const MAKE_TEST_USERS = 'users:test';

/**
 * The environment has to allow test users too: where it does not, no function sees the setting of an application.
 * Errors: `insufficient_permission`.
 */
export function requireMayMakeTestUser(caller: ClientCaller | AdminCaller): void {
  const isAllowed =
    caller.kind === 'client' &&
    caller.permissions.includes(MAKE_TEST_USERS) &&
    caller.application.testIdentities === true;
  if (!isAllowed)
    throw new ServiceError('insufficient_permission', {
      message: `test: needs a client with ${MAKE_TEST_USERS}, and test_identities of its application and environment`,
    });
}

/**
 * A test user never gets what counts elsewhere, whichever operation, page or command writes it: a real address would have its
 * codes read by others, and what a role, group or ID opens would open to whoever reads codes. Errors: `system_invalid_input`.
 */
export function requireReserved<Kept extends User>(user: Kept): Kept {
  if (!user.isTest) return user;
  const { roles, groups, identities, externalIds, customIdentifiers, customAppData } = user;
  const refuse = (field: string, rule: string) => {
    throw invalidInput(`${field}: ${rule}, for a test user`);
  };
  const addresses = addressesOf(user);
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

/** Whether a test user may log in at the application; where not, they are answered like a disabled one. */
export const mayLogInAt = (user: User, { testIdentities }: Pick<Application, 'testIdentities'>): boolean =>
  !user.isTest || testIdentities === true;
