import * as v from 'valibot';
import { MEMBER_ROLES_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import { memberFields, organizationFields } from '../records/organization.ts';
import { described, doc } from './fields/described.ts';
import { schemasOf } from './fields/of-record.ts';
import { id, listOf, name, organizationId, resultOf, roleNames, tenantId, userId } from './fields/record.ts';

// Organizations and their members.

const organization = schemasOf(organizationFields, {
  organizationId,
  tenantId,
  name: [name, doc(`Name of the organization. At most ${NAME_MAX} characters.`, 'Example Wholesale')],
});
export const { create: CreateOrganizationBody, update: UpdateOrganizationBody } = organization;
export const OrganizationRecord = described(
  organization.record,
  doc('A business customer, whose members log in with its `org_id`.'),
);
export const OrganizationResponse = resultOf(OrganizationRecord);
export const OrganizationIdPath = v.object({ organizationId: described(id, organizationId) });
export const OrganizationListResponse = listOf(OrganizationRecord);

const member = schemasOf(memberFields, {
  organizationId,
  userId: [id, userId],
  roles: [
    roleNames(MEMBER_ROLES_MAX),
    doc(
      `Roles of the member in the organization (default: none). \`organizationAdmin\` and \`organizationCreator\` may manage its members. At most ${MEMBER_ROLES_MAX}; a list replaces the existing one.`,
      ['organizationAdmin'],
    ),
  ],
});
export const { create: CreateMemberBody, update: UpdateMemberBody } = member;
export const MemberRecord = described(member.record, doc('A user in an organization.'));
export const MemberResponse = resultOf(MemberRecord);
export const MemberPath = v.object({
  organizationId: described(id, organizationId),
  userId: described(id, userId),
});
export const MemberListResponse = listOf(MemberRecord);
