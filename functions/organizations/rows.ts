import { RUN_JOB } from '../../shared/ports/verbs.ts';
import {
  CreateMemberBody,
  CreateOrganizationBody,
  MemberListResponse,
  MemberPath,
  MemberResponse,
  OrganizationIdPath,
  OrganizationListResponse,
  OrganizationResponse,
  UpdateMemberBody,
  UpdateOrganizationBody,
} from '../../shared/schemas/organizations.ts';
import { administration, recordRows } from '../records/record-rows.ts';

const common = {
  ...administration,
  file: 'organizations/organizations',
  section: 'organizations',
  record: 'organizationId',
} as const;

const organizations = recordRows({
  common,
  path: '/v1/organizations',
  id: 'organizationId',
  item: OrganizationIdPath,
  create: CreateOrganizationBody,
  update: UpdateOrganizationBody,
  one: OrganizationResponse,
  list: OrganizationListResponse,
  itemErrors: ['organization_not_found'],
});

const members = recordRows({
  common: { ...common, file: 'organizations/members', auth: ['admin', 'operator', 'org-admin'] },
  path: '/v1/organizations/{organizationId}/members',
  id: 'userId',
  outer: { path: OrganizationIdPath },
  item: MemberPath,
  create: CreateMemberBody,
  update: UpdateMemberBody,
  one: MemberResponse,
  list: MemberListResponse,
  outerErrors: ['organization_not_found'],
  itemErrors: ['organization_not_found', 'member_not_found'],
});

export const createOrganization = organizations.create({
  operators: 'admin',
  unguarded: 'inert',
  summary: 'Creates an organization',
  description:
    'Creates an organization of the tenant. Users can then become members and log in to it with `org_id`.',
  uses: ['organizationRecords.put'],
});

export const listOrganizations = organizations.list({
  summary: 'Lists the organizations of the tenant, oldest first',
  description:
    'Returns the organizations of the tenant page by page. A record that was just created may be missing for a moment.',
  uses: ['organizationRecords.list'],
});

export const getOrganization = organizations.get({
  summary: 'Returns an organization',
  description:
    'Returns the record of an organization. An organization of another tenant is 404, like an unknown one.',
  uses: ['organizationRecords.find'],
});

export const updateOrganization = organizations.update({
  operators: 'admin',
  unguarded: 'describes',
  summary: 'Updates an organization',
  description:
    'Changes the name of an organization. If other calls change it at the same time, the response is 409.',
  errors: ['concurrent_change'],
  uses: ['organizationRecords.find', 'organizationRecords.replace'],
});

export const deleteOrganization = organizations.delete({
  summary: 'Deletes an organization with its memberships; the users stay',
  description:
    'Ends all memberships of the organization; tokens of logins to it cannot be refreshed any more. This cannot be undone. The response is 202 if many memberships are still being removed; they no longer grant access.',
  output: { status: 204, orLater: true },
  uses: [
    'organizationRecords.find',
    'organizationRecords.remove',
    'membershipRecords.remove',
    'membershipRecords.listOfOrganization',
    'jobs.put',
    ...RUN_JOB,
  ],
});

export const createMember = members.create({
  summary: 'Adds a user to an organization',
  description:
    'Lets a user of the tenant log in with this `org_id`, with the given roles. An administrator of an organization can only manage that organization: every other is 404. A user who is already a member is 409.',
  errors: ['user_not_found', 'already_member'],
  uses: ['organizationRecords.find', 'membershipRecords.put', 'users.find'],
});

export const listMembers = members.list({
  summary: 'Lists the members of an organization, oldest first',
  description:
    'Returns the members with their roles page by page. An administrator of an organization can only manage that organization: every other is 404.',
  uses: ['organizationRecords.find', 'membershipRecords.listOfOrganization', 'userRecords.findAll'],
});

export const getMember = members.get({
  summary: 'Returns a member',
  description: 'Returns a membership with its roles. A user who is not a member is 404.',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'userRecords.findAll'],
});

export const updateMember = members.update({
  summary: 'Updates the roles of a member',
  description:
    'The list replaces the previous roles. Tokens that were already issued keep their roles until they are refreshed. A user who is not a member is 404.',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.replace'],
});

export const deleteMember = members.delete({
  summary: 'Ends a membership; the user stays',
  description:
    'Tokens that were issued to the user for this organization cannot be refreshed any more. A user who is not a member is 404.',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.remove'],
});
