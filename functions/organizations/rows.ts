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

/** Rows of the table for organizations and their members. Administrators of an organization may manage its members. */

const common = {
  ...administration,
  file: 'organizations/organizations',
  section: 'organizations',
  record: 'organizationId',
} as const;

const organizations = recordRows({
  common: common,
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
  summary: 'Makes an organization',
  description:
    'Makes an organization of the tenant. Users become members afterwards, and log in to it with `org_id`.',
  uses: ['organizationRecords.put'],
});

export const listOrganizations = organizations.list({
  summary: 'Lists the organizations of the tenant, oldest first',
  description:
    'Answers the organizations of the tenant by pages. A record that was just made may be missing for a moment.',
  uses: ['organizationRecords.list'],
});

export const getOrganization = organizations.get({
  summary: 'Shows an organization',
  description: 'Answers the record of an organization. One of another tenant is 404 like an unknown one.',
  uses: ['organizationRecords.find'],
});

export const updateOrganization = organizations.update({
  operators: 'admin',
  unguarded: 'describes',
  summary: 'Changes an organization',
  description: 'Changes the name of an organization. 409 when others change it at the same time.',
  errors: ['concurrent_change'],
  uses: ['organizationRecords.find', 'organizationRecords.replace'],
});

export const deleteOrganization = organizations.delete({
  summary: 'Deletes an organization with its memberships; the users stay',
  description:
    'Ends all memberships with it; what was issued for a login to it cannot be refreshed afterwards. It cannot be undone. 202 when some of very many memberships are still being removed; they open nothing.',
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
  summary: 'Makes a user a member of an organization',
  description:
    'Lets a user of the tenant log in with this `org_id`, with the given roles. An administrator of an organization reaches its own alone: every other is 404. 409 when the user is a member already.',
  errors: ['user_not_found', 'already_member'],
  uses: ['organizationRecords.find', 'membershipRecords.put', 'users.find'],
});

export const listMembers = members.list({
  summary: 'Lists the members of an organization, oldest first',
  description:
    'Answers the members with their roles by pages. An administrator of an organization reaches its own alone: every other is 404.',
  uses: ['organizationRecords.find', 'membershipRecords.listOfOrganization'],
});

export const getMember = members.get({
  summary: 'Shows a member',
  description: 'Answers a membership with its roles. 404 when the user is no member.',
  uses: ['organizationRecords.find', 'membershipRecords.find'],
});

export const updateMember = members.update({
  summary: 'Changes the roles of a member',
  description:
    'The list replaces the former roles. Tokens that are out keep theirs until they are refreshed. 404 when the user is no member.',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.replace'],
});

export const deleteMember = members.delete({
  summary: 'Ends a membership; the user stays',
  description:
    'What was issued to the user for this organization cannot be refreshed afterwards. 404 when the user is no member.',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.remove'],
});
