import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { identityName } from '../identifiers/sleep.ts';
import { changeUser } from '../users/change-user.ts';
import { replaceAndGiveUp } from '../users/update-user.ts';

/** Removes an account at a provider from the user, by its name. Errors: `user_not_found`, `concurrent_change`. */
export function unlinkIdentity(
  ports: Using<'userRecords.find' | 'userRecords.replace' | 'identifierReservations.release'>,
  tenant: Tenant,
  userId: string,
  name: string,
  at: number,
): Promise<User> {
  return changeUser(ports, tenant, userId, (current) => {
    const identities = current.identities.filter((identity) => identityName(identity) !== name);
    return replaceAndGiveUp(ports, tenant, current, { ...current, identities, updatedAt: at });
  });
}
