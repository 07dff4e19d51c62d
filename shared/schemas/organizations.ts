import * as v from 'valibot';
import { MEMBER_ROLES_MAX } from '../domain/basis/limits.ts';
import { roleNames } from './applications.ts';
import { dates, field, id, listOf, name, resultOf } from './record-fields.ts';

/** Organizations and their members. */

export const CreateOrganizationBody = v.object({ name });
export const UpdateOrganizationBody = v.object({ name: v.optional(name) });
export const OrganizationRecord = v.object({
  org_id: v.string(),
  tenant_id: v.string(),
  name: v.string(),
  ...dates,
});
export type OrganizationRecord = v.InferOutput<typeof OrganizationRecord>;
export const OrganizationResponse = resultOf(OrganizationRecord);
export const OrganizationIdPath = v.object({ organizationId: id });
export const OrganizationListResponse = listOf(OrganizationRecord);

const roles = field(roleNames(MEMBER_ROLES_MAX));

export const CreateMemberBody = v.object({ user_id: id, roles });
export const UpdateMemberBody = v.object({ roles });
export const MemberRecord = v.object({
  org_id: v.string(),
  user_id: v.string(),
  roles: v.array(v.string()),
  ...dates,
});
export type MemberRecord = v.InferOutput<typeof MemberRecord>;
export const MemberResponse = resultOf(MemberRecord);
export const MemberPath = v.object({ organizationId: id, userId: id });
export const MemberListResponse = listOf(MemberRecord);
