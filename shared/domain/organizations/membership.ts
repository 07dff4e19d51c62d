import { ServiceError } from '../../errors/service-error.ts';
import type { Membership } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';

export type MembershipPorts = PortsWith<'memberships' | 'organizations'>;

/**
 * Finds the membership of a user in an organization of the tenant. The organization must exist too: a membership that is
 * created while its organization is deleted may remain.
 */
export async function findMembership(
  ports: MembershipPorts,
  tenantId: string,
  userId: string,
  organizationId: string,
): Promise<Membership | undefined> {
  const [membership, organization] = await awaitAll(
    ports.memberships.find(userId, organizationId),
    ports.organizations.find(organizationId),
  );
  return membership?.tenantId === tenantId && organization?.tenantId === tenantId ? membership : undefined;
}

/**
 * Returns the membership for a login that names an organization, or undefined if it names none. Throws `membership_missing`,
 * also for an unknown organization or one of another tenant.
 */
export async function requireMembership(
  ports: MembershipPorts,
  tenantId: string,
  userId: string,
  organizationId: string | undefined,
): Promise<Membership | undefined> {
  if (organizationId === undefined) return undefined;
  const membership = await findMembership(ports, tenantId, userId, organizationId);
  if (!membership) throw new ServiceError('membership_missing');
  return membership;
}

const ADMIN_ROLES: readonly string[] = ['organizationAdmin', 'organizationCreator'];

/** Returns true if one of the roles lets a member administer their organization (SPEC "Authentication"). */
export function isOrganizationAdmin(roles: readonly string[]): boolean {
  return roles.some((role) => ADMIN_ROLES.includes(role));
}

/** Returns the permissions that a member's roles grant at this service, with the same names as the permissions of clients. */
export function listMemberPermissions({ roles }: Membership): readonly string[] {
  if (!isOrganizationAdmin(roles)) return [];
  return ['create', 'read', 'edit', 'delete'].map((verb) => `members:${verb}`);
}
