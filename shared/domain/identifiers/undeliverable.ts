import type { Undeliverable } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { findUserByIdentifier } from './find-user.ts';
import { storedIdentifier } from './stored-address.ts';

/**
 * Marks a user's email address as undeliverable, so that later messages to it are rejected instead of sent. Returns the user's
 * ID. Returns undefined if no user of the tenant has the address, for example because it was an alternative address.
 */
export async function markUndeliverable(
  ports: PortsWith<'identifiers' | 'users.find' | 'users.markUndeliverable'>,
  tenant: { readonly tenantId: string },
  address: string,
  mark: Undeliverable,
): Promise<string | undefined> {
  const identifier = storedIdentifier('email', address);
  const user = identifier && (await findUserByIdentifier(ports, tenant, identifier));
  if (!user?.email || !(await ports.users.markUndeliverable(user, user.email.value, mark))) return undefined;
  return user.userId;
}
