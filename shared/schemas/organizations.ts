import * as v from 'valibot';
import { MEMBER_ROLES_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import { memberFields, organizationFields } from '../records/organization.ts';
import { describe, described, masked } from './fields/described.ts';
import { createSchemas, withFields } from './fields/of-record.ts';
import {
  id,
  name,
  optionalField,
  organizationId,
  roleNames,
  tenantId,
  toPage,
  toResult,
  userId,
} from './fields/record.ts';

// Schemas of organizations and their members.

const organization = createSchemas(organizationFields, {
  organizationId,
  tenantId,
  name: [name, describe(`Name of the organization. At most ${NAME_MAX} characters.`, 'Example Wholesale')],
});
export const { create: CreateOrganizationBody, update: UpdateOrganizationBody } = organization;
export const OrganizationRecord = described(
  organization.record,
  describe('A business customer, whose members log in with its `org_id`.'),
);
export const OrganizationResponse = toResult(OrganizationRecord);
export const OrganizationIdPath = v.object({ organizationId: described(id, organizationId) });
export const OrganizationListResponse = toPage(OrganizationRecord);

const member = createSchemas(memberFields, {
  organizationId,
  userId: [id, userId],
  roles: [
    roleNames(MEMBER_ROLES_MAX),
    describe(
      `Roles of the member in the organization (default: none). \`organizationAdmin\` and \`organizationCreator\` may manage its members. At most ${MEMBER_ROLES_MAX}; a list replaces the existing one.`,
      ['organizationAdmin'],
    ),
  ],
});
export const { create: CreateMemberBody, update: UpdateMemberBody } = member;
export const MemberRecord = described(
  withFields(member.record, {
    display_name: optionalField(
      v.string(),
      describe(
        'Name of the user, or else an email address, phone number or username. Only in responses to `GET`, and absent for administrators of the organization.',
        'Ann Example',
      ),
      masked('address'),
    ),
  }),
  describe('A user in an organization.'),
);
export const MemberResponse = toResult(MemberRecord);
export const MemberPath = v.object({
  organizationId: described(id, organizationId),
  userId: described(id, userId),
});
export const MemberListResponse = toPage(MemberRecord);
