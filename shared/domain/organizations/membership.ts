import { ServiceError } from '../../errors/service-error.ts';
import type { Membership } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';

export type MembershipPorts = Using<'memberships' | 'organizations'>;

/**
 * The membership of a user in an organization of the tenant. The organization itself must exist too: when it is deleted, a
 * membership that was made in the same moment may be left.
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
 * The membership in which a login runs when it names an organization. An organization of another tenant, or one that
 * does not exist, has no such member. Errors: `membership_missing`.
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

/** SPEC "Authentication": the roles that let members administer their organization. */
export function isOrganizationAdmin(roles: readonly string[]): boolean {
  return roles.some((role) => ADMIN_ROLES.includes(role));
}

/** What a member may do at this service by their roles, in the words of clients' permissions. */
export function permissionsOfMember({ roles }: Membership): readonly string[] {
  if (!isOrganizationAdmin(roles)) return [];
  return ['create', 'read', 'edit', 'delete'].map((verb) => `members:${verb}`);
}
