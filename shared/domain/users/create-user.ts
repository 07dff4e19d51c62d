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
  const { tenantId, userId } = user;
  const names = [...identifiersOf(user), ...demanded];
  const reservations = await reserveIdentifiers(ports, tenantId, userId, names);
  await reserveExternalId(ports, user);
  await requireTimely(ports, tenantId, userId, reservations);
  if (!(await ports.userRecords.put(user))) throw new Error('a fresh user ID is in use');
  return user;
}

/** Makes a user who has not logged in yet. Errors: `system_invalid_input`, `identifier_taken`. */
export function createUser(
  ports: NewUserPorts,
  tenant: Tenant,
  fields: UserFields,
  at: number,
): Promise<User> {
  return putUser(ports, userWithFields(blankUser(tenant, newId(), at), fields, at));
}
