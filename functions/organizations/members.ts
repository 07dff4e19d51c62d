import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import * as members from '../../shared/domain/organizations/members.ts';
import { memberRecord, requireMember, requireReach } from '../../shared/domain/organizations/members.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Adds a user of the tenant as a member. */
export const createMember: UseCase<typeof rows.createMember> = async (
  { path, json, caller, request, audit },
  ports,
) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const member = await members.createMember(ports, caller.tenant, path.organizationId, json, request.now);
  return { json: { result: memberRecord(member) } };
};

/** Lists the members of an organization. */
export const listMembers: UseCase<typeof rows.listMembers> = async (
  { path, query, caller, audit },
  ports,
) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const page = await members.listMembers(ports, caller.tenant, path.organizationId, readPageQuery(query));
  return { json: listRecord(page, memberRecord) };
};

/** Shows a member of an organization. */
export const getMember: UseCase<typeof rows.getMember> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const member = await requireMember(ports, caller.tenant, path.organizationId, path.userId);
  return { json: { result: memberRecord(member) } };
};

/** Changes the roles of a member, effective at the next login or refresh. An administrator loses the role at once. */
export const updateMember: UseCase<typeof rows.updateMember> = async (
  { path, json, caller, request, audit },
  ports,
) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  const member = await members.updateMember(
    ports,
    caller.tenant,
    path.organizationId,
    path.userId,
    json,
    request.now,
  );
  return { json: { result: memberRecord(member) } };
};

/** Ends a membership. Refuses the next refresh of a login to the organization. */
export const deleteMember: UseCase<typeof rows.deleteMember> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.organizationId });
  requireReach(caller, path.organizationId);
  await members.deleteMember(ports, caller.tenant, path.organizationId, path.userId);
  return { none: true };
};
