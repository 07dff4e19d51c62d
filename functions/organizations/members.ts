import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { findFullName, findUserName } from '../../shared/domain/identifiers/person-name.ts';
import * as members from '../../shared/domain/organizations/members.ts';
import {
  memberRecord,
  requireMember,
  requireReachableOrganization,
} from '../../shared/domain/organizations/members.ts';
import type { AdminCaller, OrgAdminCaller, UseCase } from '../../shared/operation.ts';
import type { Membership } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type * as rows from './rows.ts';

/** Returns members' records, with the names of the users for callers who may read all users of the tenant. */
async function nameMembers(
  { userRecords }: PortsWith<'userRecords.findAll'>,
  caller: AdminCaller | OrgAdminCaller,
  memberships: readonly Membership[],
) {
  const ids = caller.kind === 'admin' ? memberships.map(({ userId }) => userId) : [];
  const users = await userRecords.findAll(caller.tenant.tenantId, ids);
  return memberships.map((membership) => {
    const user = users.find(({ userId }) => userId === membership.userId);
    const name = user && { display_name: findFullName(user) ?? findUserName(user) };
    return { ...memberRecord(membership), ...name };
  });
}

/** Adds a user of the tenant to an organization. */
export const createMember: UseCase<typeof rows.createMember> = async (
  { path, json, caller, request },
  ports,
) => {
  const organization = requireReachableOrganization(caller, path.organizationId);
  const member = await members.createMember(ports, organization, json, request.now);
  return { json: { result: memberRecord(member) } };
};

export const listMembers: UseCase<typeof rows.listMembers> = async ({ path, query, caller }, ports) => {
  const organization = requireReachableOrganization(caller, path.organizationId);
  const page = await members.listMembers(ports, organization, readPageQuery(query));
  const items = await nameMembers(ports, caller, page.items);
  return { json: toListRecord({ ...page, items }, (member) => member) };
};

export const getMember: UseCase<typeof rows.getMember> = async ({ path, caller }, ports) => {
  const organization = requireReachableOrganization(caller, path.organizationId);
  const member = await requireMember(ports, organization, path.userId);
  const [result] = await nameMembers(ports, caller, [member]);
  return { json: { result: result ?? memberRecord(member) } };
};

/**
 * Updates the roles of a member. New roles apply from the next login or refresh; a removed administrator role ends immediately.
 */
export const updateMember: UseCase<typeof rows.updateMember> = async (
  { path, json, caller, request },
  ports,
) => {
  const organization = requireReachableOrganization(caller, path.organizationId);
  const { userId } = path;
  const member = await members.updateMember(ports, { ...organization, userId }, json, request.now);
  return { json: { result: memberRecord(member) } };
};

/** Ends a membership. Refresh tokens from logins to the organization are then rejected. */
export const deleteMember: UseCase<typeof rows.deleteMember> = async ({ path, caller }, ports) => {
  const organization = requireReachableOrganization(caller, path.organizationId);
  await members.deleteMember(ports, organization, path.userId);
  return { none: true };
};
