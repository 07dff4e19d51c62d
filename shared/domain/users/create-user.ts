import { invalidInput } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { UserFields } from '../../schemas/users.ts';
import { newId } from '../basis/random.ts';
import { identifiersOf } from '../identifiers/identifier.ts';
import {
  type ReservationPorts,
  requireTimely,
  reserveExternalId,
  reserveIdentifiers,
} from '../identifiers/identifier-reservations.ts';
import { requireReserved } from './test-user.ts';
import { userWithFields } from './user-record.ts';

export type NewUserPorts = ReservationPorts & Using<'userRecords.put'>;

/** A new user without any field. */
export function blankUser({ tenantId }: Tenant, userId: string, at: number): User {
  return {
    userId,
    tenantId,
    status: 'Pending',
    customIdentifiers: [],
    groups: [],
    roles: [],
    identities: [],
    createdAt: at,
    updatedAt: at,
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
  await reserveExternalId(ports, user);
  await requireTimely(ports, tenantId, userId, reservations);
  if (!(await ports.userRecords.put(user))) throw new Error('a fresh user ID is in use');
  return user;
}

/**
 * Makes a user who has not logged in yet. Only who has checked that the caller may make a test user says so: `fields` alone
 * make none, and none that is real in its place. Errors: `system_invalid_input`, `identifier_taken`.
 */
export async function createUser(
  ports: NewUserPorts,
  tenant: Tenant,
  fields: UserFields & { readonly test?: boolean | null | undefined },
  at: number,
  isTest = false,
): Promise<User> {
  if (fields.test && !isTest) throw invalidInput('test: only POST /v1/users makes test users');
  const blank = blankUser(tenant, newId(), at);
  return putUser(ports, userWithFields(isTest ? { ...blank, isTest } : blank, fields, at));
}
