import { awaitAll } from '../domain/basis/await-all.ts';
import {
  findMembership,
  isOrganizationAdmin,
  type MembershipPorts,
} from '../domain/organizations/membership.ts';
import type { OrgAdminCaller, UserCaller } from '../operation.ts';
import type { PortsWith } from '../ports/uses.ts';
import type { ActiveTokenPorts } from './active-token.ts';
import { insufficientPermissionError, invalidToken, tokenScheme } from './challenges.ts';
import { requireOwnUser } from './own-user.ts';

const NEEDS = 'needs the token of an admin of the organization';

/**
 * Checks that the user of an access token is an administrator of the token's organization. Reads session, user and role at
 * `now` (epoch seconds), so that the removal of a role takes effect immediately. Errors: `invalid_token`,
 * `insufficient_permission`.
 */
export async function requireOrganizationAdmin(
  ports: ActiveTokenPorts & MembershipPorts & PortsWith<'tenants'>,
  token: UserCaller,
  settings: { readonly defaultAudience: string },
  now: number,
): Promise<OrgAdminCaller> {
  const scheme = tokenScheme(token);
  const { organizationId, tenantId, userId } = token;
  if (organizationId === undefined || !isOrganizationAdmin(token.roles))
    throw insufficientPermissionError(NEEDS, scheme);
  const [, membership, tenant] = await awaitAll(
    requireOwnUser(ports, token, settings, now),
    findMembership(ports, tenantId, userId, organizationId),
    ports.tenants.find(tenantId),
  );
  if (!tenant) throw invalidToken('revoked', scheme);
  if (!membership || !isOrganizationAdmin(membership.roles)) throw insufficientPermissionError(NEEDS, scheme);
  return { ...token, kind: 'org-admin', organizationId, tenant };
}
