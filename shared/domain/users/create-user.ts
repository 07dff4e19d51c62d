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

/** A new user without any field, of these applications. */
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
 * Stores a new user: reservations first, then the user. A crash in between orphans the reservations; they can be replaced
 * a minute later. When the answer to the last write is lost they stay, because the user may exist.
 * Errors: `identifier_taken`, also for the identifiers that are demanded beside those that are the user's alone.
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
 * The applications that are named for a new user; without any the only one that the caller may name.
 * `known`: those that the caller may name. Errors: `system_invalid_input`.
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

/** Where the credentials of a new user of these applications are good. */
export const scopeOfNew = ([only, ...others]: readonly string[]): string =>
  only !== undefined && others.length === 0 ? only : TENANT;

/** A user of these applications who has not logged in yet. Errors: `system_invalid_input`. */
function newUser(tenant: Tenant, fields: UserFields, applications: readonly string[], at: number): User {
  const generations = fields.email_verified || fields.phone_number_verified ? begun : unproven;
  const made = { applications: applications.slice(0, APPLICATIONS_NOTED), generations };
  const by = { how: 'made', scope: scopeOfNew(applications) } as const;
  return userWithFields(blankUser(tenant, newId(), at, made), fields, at, by);
}

/**
 * Makes a user who has not logged in yet. Only who has checked that the caller may make a test user says so: `fields` alone
 * make none, and none that is real in its place. Errors: `system_invalid_input`, `identifier_taken`.
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
