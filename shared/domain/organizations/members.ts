import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, OrgAdminCaller } from '../../operation.ts';
import type { Page, PageRequest } from '../../ports/directory.ts';
import type { MemberFields, MemberRecord, Membership, NewMemberFields } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { memberFields } from '../../records/organization.ts';
import { applyChanges, createRecord, toRecordView } from '../../records/record.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { type OrganizationName, requireOrganization } from './organizations.ts';

export const memberRecord = (membership: Membership): MemberRecord => toRecordView(memberFields, membership);

/** Functions that normalise the fields of a membership. */
const readers = { roles: (names: readonly string[]) => [...new Set(names)] };

/**
 * Returns an organization that the caller may manage. The administrator of one organization cannot see other organizations.
 * Throws `organization_not_found`.
 */
export function requireReachableOrganization(
  caller: AdminCaller | OrgAdminCaller,
  organizationId: string,
): OrganizationName {
  if (caller.kind === 'org-admin' && caller.organizationId !== organizationId)
    throw new ServiceError('organization_not_found');
  return { tenant: caller.tenant, organizationId };
}

/** Adds a user to an organization. Throws `organization_not_found`, `user_not_found` or `already_member`. */
export async function createMember(
  ports: PortsWith<'organizationRecords.find' | 'membershipRecords.put' | 'users.find'>,
  { tenant, organizationId }: OrganizationName,
  fields: NewMemberFields,
  at: number,
): Promise<Membership> {
  await requireOrganization(ports, tenant, organizationId);
  const { isTest } = await requireUser(ports.users, tenant, fields.user_id);
  if (isTest) throw invalidInput('user_id: a test user is in no organization');
  const own = { organizationId, tenantId: tenant.tenantId, createdAt: at, updatedAt: at };
  const membership = createRecord(memberFields, own, fields, readers);
  if (!(await ports.membershipRecords.put(membership))) throw new ServiceError('already_member');
  return membership;
}

/** Finds a member of an organization. Throws `organization_not_found` or `member_not_found`. */
export async function requireMember(
  ports: PortsWith<'organizationRecords.find' | 'membershipRecords.find'>,
  { tenant, organizationId }: OrganizationName,
  userId: string,
): Promise<Membership> {
  await requireOrganization(ports, tenant, organizationId);
  const membership = await ports.membershipRecords.find(userId, organizationId);
  if (membership?.tenantId !== tenant.tenantId) throw new ServiceError('member_not_found');
  return membership;
}

/** Returns a page of the members of an organization. Throws `organization_not_found`. */
export async function listMembers(
  ports: PortsWith<'organizationRecords.find' | 'membershipRecords.listOfOrganization'>,
  { tenant, organizationId }: OrganizationName,
  page: PageRequest,
): Promise<Page<Membership>> {
  await requireOrganization(ports, tenant, organizationId);
  return ports.membershipRecords.listOfOrganization(organizationId, page);
}

/** Changes the membership of a user. Throws `organization_not_found` or `member_not_found`. */
export async function updateMember(
  ports: PortsWith<'organizationRecords.find' | 'membershipRecords.find' | 'membershipRecords.replace'>,
  { userId, ...organization }: OrganizationName & { readonly userId: string },
  fields: MemberFields,
  at: number,
): Promise<Membership> {
  const current = await requireMember(ports, organization, userId);
  const next = { ...applyChanges(memberFields, current, fields, readers), updatedAt: at };
  if (!(await ports.membershipRecords.replace(next))) throw new ServiceError('member_not_found');
  return next;
}

/** Removes a user from an organization. Throws `organization_not_found` or `member_not_found`. */
export async function deleteMember(
  ports: PortsWith<'organizationRecords.find' | 'membershipRecords.find' | 'membershipRecords.remove'>,
  organization: OrganizationName,
  userId: string,
): Promise<void> {
  await requireMember(ports, organization, userId);
  if (!(await ports.membershipRecords.remove(userId, organization.organizationId)))
    throw new ServiceError('member_not_found');
}
