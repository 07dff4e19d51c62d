import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { OPERATORS_TENANT_ID } from '../basis/operators.ts';
import { isOrganizationAdmin } from '../organizations/membership.ts';

/**
 * Whether a user can do something to others: roles of their own, or one that administers an organization; and every operator.
 */

export type PowerPorts = Using<'membershipRecords.listOfUser'>;

export async function hasPower(ports: PowerPorts, { userId, tenantId, roles }: User): Promise<boolean> {
  if (roles.length > 0 || tenantId === OPERATORS_TENANT_ID) return true;
  const memberships = await ports.membershipRecords.listOfUser(userId);
  return memberships.some((membership) => isOrganizationAdmin(membership.roles));
}
