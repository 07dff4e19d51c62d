import { invalidInput } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier, User, UserFields } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { newRecord } from '../../records/record.ts';
import { userFields } from '../../records/user.ts';
import { APPLICATIONS_NOTED } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { identifiersOf } from '../identifiers/identifier.ts';
import {
  type ReservationPorts,
  requireTimely,
  reserveExternalIds,
  reserveIdentifiers,
} from '../identifiers/identifier-reservations.ts';
import { begun, TENANT, unproven } from '../trust/generations.ts';
import { requireReserved } from './test-user.ts';
import { userWithFields } from './user-record.ts';

export type NewUserPorts = ReservationPorts & Using<'userRecords.put'>;

/** Creates a user record with the given applications and no other field. */
export function blankUser(
  { tenantId }: Tenant,
  userId: string,
  at: number,
  made: Pick<User, 'applications' | 'generations'>,
): User {
  const own = { userId, tenantId, status: 'Pending', externalIds: [], formerEmails: [] } as const;
  const dates = { createdAt: at, updatedAt: at };
  return {
    ...newRecord(userFields, { ...own, ...dates, ...made }, {}),
    ...made,
    changes: [],
    identities: [],
  };
}

/**
 * Stores a new user: first the reservations of identifiers, then the user. A crash between them orphans the reservations, which
 * others can replace a minute later. If the response to the last write is lost, the reservations stay, because the user may
 * exist.
 * Errors: `identifier_taken`, also for the identifiers in `demanded`, which the user must get besides their own.
 */
export async function putUser(
  ports: NewUserPorts,
  user: User,
  demanded: readonly Identifier[] = [],
): Promise<User> {
  const { tenantId, userId } = requireReserved(user);
  const names = [...identifiersOf(user), ...demanded];
  const reservations = await reserveIdentifiers(ports, tenantId, userId, names);
  await reserveExternalIds(ports, user, demanded);
  await requireTimely(ports, tenantId, userId, reservations);
  if (!(await ports.userRecords.put(user))) throw new Error('a fresh user ID is in use');
  return user;
}

/**
 * Returns the applications of a new user: those that the request names, or else the caller's only one. `known` contains the
 * applications that the caller may name. Errors: `system_invalid_input`.
 */
export function namedApplications(
  known: readonly string[],
  named: readonly string[] | null | undefined,
): readonly string[] {
  if (!named) return known.length === 1 ? known : [];
  if (named.some((id) => !known.includes(id)))
    throw invalidInput('applications: must be applications of the caller');
  return [...new Set(named)];
}

/** Returns where the credentials of a new user are valid: in the user's only application, or tenant-wide. */
export const scopeOfNew = ([only, ...others]: readonly string[]): string =>
  only !== undefined && others.length === 0 ? only : TENANT;

/** Builds the record of a user who has not logged in yet. Errors: `system_invalid_input`. */
function newUser(tenant: Tenant, fields: UserFields, applications: readonly string[], at: number): User {
  const generations = fields.email_verified || fields.phone_number_verified ? begun : unproven;
  const made = { applications: applications.slice(0, APPLICATIONS_NOTED), generations };
  const by = { how: 'made', scope: scopeOfNew(applications) } as const;
  return userWithFields(blankUser(tenant, newId(), at, made), fields, at, by);
}

/**
 * Creates a user who has not logged in yet. Set `isTest` only after checking that the caller may create test users:
 * `fields.test` by itself creates neither a test user nor a real one. Errors: `system_invalid_input`, `identifier_taken`.
 */
export async function createUser(
  ports: NewUserPorts,
  tenant: Tenant,
  fields: UserFields & { readonly test?: boolean | null | undefined },
  {
    applications,
    isTest,
    at,
  }: { readonly applications: readonly string[]; readonly isTest?: boolean; readonly at: number },
): Promise<User> {
  if (fields.test && !isTest) throw invalidInput('test: only POST /v1/users makes test users');
  const user = newUser(tenant, fields, applications, at);
  return putUser(ports, isTest ? { ...user, isTest } : user);
}
