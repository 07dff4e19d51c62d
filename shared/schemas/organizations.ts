import * as v from 'valibot';
import { MEMBER_ROLES_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import { described, doc } from './fields/described.ts';
import {
  dates,
  field,
  id,
  listOf,
  name,
  organizationId,
  resultOf,
  roleNames,
  shown,
  tenantId,
  userId,
} from './fields/record.ts';

/** Organizations and their members. */

const nameOfOrganization = doc(
  `Name of the organization. At most ${NAME_MAX} characters.`,
  'Example Wholesale',
);

export const CreateOrganizationBody = v.object({ name: described(name, nameOfOrganization) });
export const UpdateOrganizationBody = v.object({ name: shown(name, nameOfOrganization) });
export const OrganizationRecord = described(
  v.object({
    org_id: described(v.string(), organizationId),
    tenant_id: described(v.string(), tenantId),
    name: described(v.string(), nameOfOrganization),
    ...dates,
  }),
  doc('A business customer; its members log in with its `org_id`.'),
);
export type OrganizationRecord = v.InferOutput<typeof OrganizationRecord>;
export const OrganizationResponse = resultOf(OrganizationRecord);
export const OrganizationIdPath = v.object({ organizationId: described(id, organizationId) });
export const OrganizationListResponse = listOf(OrganizationRecord);

const memberRoles = doc(
  `Roles of the member in the organization (default: none). \`organizationAdmin\` and \`organizationCreator\` may manage its members. At most ${MEMBER_ROLES_MAX}; a list replaces the former one.`,
  ['organizationAdmin'],
);
const roles = field(roleNames(MEMBER_ROLES_MAX), memberRoles);

export const CreateMemberBody = v.object({ user_id: described(id, userId), roles });
export const UpdateMemberBody = v.object({ roles });
export const MemberRecord = described(
  v.object({
    org_id: described(v.string(), organizationId),
    user_id: described(v.string(), userId),
    roles: described(v.array(v.string()), memberRoles),
    ...dates,
  }),
  doc('A user in an organization.'),
);
export type MemberRecord = v.InferOutput<typeof MemberRecord>;
export const MemberResponse = resultOf(MemberRecord);
export const MemberPath = v.object({
  organizationId: described(id, organizationId),
  userId: described(id, userId),
});
export const MemberListResponse = listOf(MemberRecord);
