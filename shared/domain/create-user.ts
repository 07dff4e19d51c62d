import type { Tenant } from '../ports/directory.ts';
import type { User } from '../ports/people.ts';
import { identifiersOf } from './identifier.ts';
import { type ClaimPorts, claimIdentifiers, requireTimely } from './identifier-claims.ts';
import { newId } from './random.ts';
import { nowSeconds } from './time.ts';
import { type UserFields, withFields } from './user-fields.ts';

/**
 * Makes a user who has not logged in yet. Claims first, then the user: a crash in between leaves claims that nobody
 * carries, and those can be replaced a minute later. When the answer to the last write is lost the claims stay, for the
 * user may exist. Errors: `system_invalid_input`, `identifier_taken`.
 */
export async function createUser(
  ports: ClaimPorts,
  tenant: Tenant,
  fields: UserFields,
  userId = newId(),
): Promise<User> {
  const at = nowSeconds();
  const { tenantId } = tenant;
  const blank: User = {
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
  const user = withFields(blank, fields, at);
  const claims = await claimIdentifiers(ports, tenantId, user.userId, identifiersOf(user));
  await requireTimely(ports, tenantId, user.userId, claims);
  if (!(await ports.userRecords.put(user))) throw new Error('a fresh user ID is in use');
  return user;
}
