import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { findHolderId, findOwner, normaliseIdentifier } from './identifier.ts';

/** Finds a user of the tenant by ID. Errors: `user_not_found`, also for a user of another tenant. */
export async function requireUser(
  users: { find(userId: string): Promise<User | undefined> },
  tenant: Pick<Tenant, 'tenantId'>,
  userId: string,
): Promise<User> {
  const user = await users.find(userId);
  if (user?.tenantId !== tenant.tenantId) throw new ServiceError('user_not_found');
  return user;
}

export async function findUserByIdentifier(
  ports: PortsWith<'identifiers' | 'users.find'>,
  tenant: Pick<Tenant, 'tenantId'>,
  identifier: Identifier,
): Promise<User | undefined> {
  const userId = await findHolderId(ports, tenant, identifier);
  return userId === undefined ? undefined : findOwner(ports, tenant, identifier, userId);
}

/** Finds the user who has an identifier of the given type. Errors: `user_not_found`, also if the identifier is invalid. */
export async function requireUserByIdentifier(
  ports: PortsWith<'identifiers' | 'users.find'>,
  tenant: Tenant,
  type: string,
  value: string,
): Promise<User> {
  const identifier = normaliseIdentifier(type, value);
  if (!identifier) throw new ServiceError('user_not_found');
  const user = await findUserByIdentifier(ports, tenant, identifier);
  if (!user) throw new ServiceError('user_not_found');
  return user;
}
