import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { isOrganizationAdmin } from '../organizations/membership.ts';

/** Whether a user can do something to others: roles of their own, or one that administers an organization. */

export type PowerPorts = Using<'membershipRecords.listOfUser'>;

export async function hasPower(ports: PowerPorts, { userId, roles }: User): Promise<boolean> {
  if (roles.length > 0) return true;
  const memberships = await ports.membershipRecords.listOfUser(userId);
  return memberships.some((membership) => isOrganizationAdmin(membership.roles));
}
