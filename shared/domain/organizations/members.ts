import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, OrgAdminCaller } from '../../operation.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Membership } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { MemberRecord } from '../../schemas/organizations.ts';
import { wireDate } from '../basis/time.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { requireOrganization } from './organizations.ts';

export function memberRecord(membership: Membership): MemberRecord {
  return {
    org_id: membership.organizationId,
    user_id: membership.userId,
    roles: [...membership.roles],
    created_at: wireDate(membership.createdAt),
    updated_at: wireDate(membership.updatedAt),
  };
}

/**
 * An administrator of an organization reaches its members; every other organization is as unknown to them as none.
 * Errors: `organization_not_found`.
 */
export function requireReach(caller: AdminCaller | OrgAdminCaller, organizationId: string): void {
  if (caller.kind === 'org-admin' && caller.organizationId !== organizationId)
    throw new ServiceError('organization_not_found');
}

/** Errors: `organization_not_found`, `user_not_found`, `already_member`. */
export async function createMember(
  ports: Using<'organizationRecords.find' | 'membershipRecords.put' | 'users.find'>,
  tenant: Tenant,
  organizationId: string,
  fields: { readonly user_id: string; readonly roles?: readonly string[] | null | undefined },
  at: number,
): Promise<Membership> {
  await requireOrganization(ports, tenant, organizationId);
  const { userId, isTest } = await requireUser(ports.users, tenant, fields.user_id);
  if (isTest) throw invalidInput('user_id: a test user is in no organization');
  const membership: Membership = {
    organizationId,
    userId,
    tenantId: tenant.tenantId,
    roles: [...new Set(fields.roles ?? [])],
    createdAt: at,
    updatedAt: at,
  };
  if (!(await ports.membershipRecords.put(membership))) throw new ServiceError('already_member');
  return membership;
}

/** Errors: `organization_not_found`, `member_not_found`. */
export async function requireMember(
  ports: Using<'organizationRecords.find' | 'membershipRecords.find'>,
  tenant: Tenant,
  organizationId: string,
  userId: string,
): Promise<Membership> {
  await requireOrganization(ports, tenant, organizationId);
  const membership = await ports.membershipRecords.find(userId, organizationId);
  if (membership?.tenantId !== tenant.tenantId) throw new ServiceError('member_not_found');
  return membership;
}

/** Errors: `organization_not_found`. */
export async function listMembers(
  ports: Using<'organizationRecords.find' | 'membershipRecords.listOfOrganization'>,
  tenant: Tenant,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Membership>> {
  await requireOrganization(ports, tenant, organizationId);
  return ports.membershipRecords.listOfOrganization(organizationId, page);
}

/** Errors: `organization_not_found`, `member_not_found`. */
export async function updateMember(
  ports: Using<'organizationRecords.find' | 'membershipRecords.find' | 'membershipRecords.replace'>,
  tenant: Tenant,
  organizationId: string,
  userId: string,
  fields: { readonly roles?: readonly string[] | null | undefined },
  at: number,
): Promise<Membership> {
  const current = await requireMember(ports, tenant, organizationId, userId);
  const roles = fields.roles === undefined ? current.roles : [...new Set(fields.roles ?? [])];
  const next = { ...current, roles, updatedAt: at };
  if (!(await ports.membershipRecords.replace(next))) throw new ServiceError('member_not_found');
  return next;
}

/** Errors: `organization_not_found`, `member_not_found`. */
export async function deleteMember(
  ports: Using<'organizationRecords.find' | 'membershipRecords.find' | 'membershipRecords.remove'>,
  tenant: Tenant,
  organizationId: string,
  userId: string,
): Promise<void> {
  await requireMember(ports, tenant, organizationId, userId);
  if (!(await ports.membershipRecords.remove(userId, organizationId)))
    throw new ServiceError('member_not_found');
}
