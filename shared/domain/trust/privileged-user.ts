import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { OPERATORS_TENANT_ID } from '../basis/operators.ts';
import { isOrganizationAdmin } from '../organizations/membership.ts';

export type PrivilegePorts = PortsWith<'membershipRecords.listOfUser'>;

/**
 * Returns true if a user has rights over other users: by a role, as an operator, or as the administrator of an organization.
 * Clients and support staff have fewer rights over such users.
 */
export async function isPrivilegedUser(
  ports: PrivilegePorts,
  { userId, tenantId, roles }: User,
): Promise<boolean> {
  if (roles.length > 0 || tenantId === OPERATORS_TENANT_ID) return true;
  const memberships = await ports.membershipRecords.listOfUser(userId);
  return memberships.some((membership) => isOrganizationAdmin(membership.roles));
}
