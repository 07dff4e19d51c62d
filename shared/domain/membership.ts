import { ServiceError } from '../errors/service-error.ts';
import type { Membership, Memberships } from '../ports/people.ts';

/**
 * The membership in which a login runs when it names an organization. An organization of another tenant, or one that
 * does not exist, has no such member. Errors: `membership_missing`.
 */
export async function requireMembership(
  ports: { readonly memberships: Memberships },
  tenantId: string,
  userId: string,
  organizationId: string | undefined,
): Promise<Membership | undefined> {
  if (organizationId === undefined) return undefined;
  const membership = await ports.memberships.find(userId, organizationId);
  if (!membership || membership.tenantId !== tenantId) throw new ServiceError('membership_missing');
  return membership;
}
