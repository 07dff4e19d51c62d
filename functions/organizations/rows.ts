import type { OperationRow } from '../../shared/operation.ts';
import { RUN_JOB } from '../../shared/ports/verbs.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';
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

/** Rows of the table for organizations and their members. Administrators of an organization may manage its members. */

const organizations = {
  operators: 'guarded',
  file: 'organizations/organizations',
  section: 'organizations',
  reach: 'api',
  auth: ['admin', 'operator'],
  cors: 'none',
  dialect: 'numeric',
} as const;

const members = {
  ...organizations,
  file: 'organizations/members',
  auth: ['admin', 'operator', 'org-admin'],
} as const;

export const createOrganization = {
  ...organizations,
  operators: 'admin',
  unguarded: 'inert',
  method: 'POST',
  path: '/v1/organizations',
  summary: 'Makes an organization',
  description:
    'Makes an organization of the tenant. Users become members afterwards, and log in to it with `org_id`.',
  input: { json: CreateOrganizationBody },
  output: { status: 201, json: OrganizationResponse },
  errors: [],
  audit: 'management.changed',
  uses: ['organizationRecords.put'],
} as const satisfies OperationRow;

export const listOrganizations = {
  ...organizations,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/organizations',
  summary: 'Lists the organizations of the tenant, oldest first',
  description:
    'Answers the organizations of the tenant by pages. A record that was just made may be missing for a moment.',
  input: { query: PageQuery },
  output: { status: 200, json: OrganizationListResponse },
  errors: [],
  uses: ['organizationRecords.list'],
} as const satisfies OperationRow;

export const getOrganization = {
  ...organizations,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/organizations/{organizationId}',
  summary: 'Shows an organization',
  description: 'Answers the record of an organization. One of another tenant is 404 like an unknown one.',
  input: { path: OrganizationIdPath },
  output: { status: 200, json: OrganizationResponse },
  errors: ['organization_not_found'],
  uses: ['organizationRecords.find'],
} as const satisfies OperationRow;

export const updateOrganization = {
  ...organizations,
  operators: 'admin',
  unguarded: 'describes',
  method: 'PUT',
  path: '/v1/organizations/{organizationId}',
  summary: 'Changes an organization',
  description: 'Changes the name of an organization. 409 when others change it at the same time.',
  input: { path: OrganizationIdPath, json: UpdateOrganizationBody },
  output: { status: 200, json: OrganizationResponse },
  errors: ['organization_not_found', 'concurrent_change'],
  audit: 'management.changed',
  uses: ['organizationRecords.find', 'organizationRecords.replace'],
} as const satisfies OperationRow;

export const deleteOrganization = {
  ...organizations,
  method: 'DELETE',
  path: '/v1/organizations/{organizationId}',
  summary: 'Deletes an organization with its memberships; the users stay',
  description:
    'Ends all memberships with it; what was issued for a login to it cannot be refreshed afterwards. It cannot be undone. 202 when some of very many memberships are still being removed; they open nothing.',
  input: { path: OrganizationIdPath },
  output: { status: 204, orLater: true },
  errors: ['organization_not_found'],
  audit: 'management.changed',
  uses: [
    'organizationRecords.find',
    'organizationRecords.remove',
    'membershipRecords.remove',
    'membershipRecords.listOfOrganization',
    'jobs.put',
    ...RUN_JOB,
  ],
} as const satisfies OperationRow;

export const createMember = {
  ...members,
  method: 'POST',
  path: '/v1/organizations/{organizationId}/members',
  summary: 'Makes a user a member of an organization',
  description:
    'Lets a user of the tenant log in with this `org_id`, with the given roles. An administrator of an organization reaches its own alone: every other is 404. 409 when the user is a member already.',
  input: { path: OrganizationIdPath, json: CreateMemberBody },
  output: { status: 201, json: MemberResponse },
  errors: ['organization_not_found', 'user_not_found', 'already_member'],
  audit: 'management.changed',
  uses: ['organizationRecords.find', 'membershipRecords.put', 'users.find'],
} as const satisfies OperationRow;

export const listMembers = {
  ...members,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/members',
  summary: 'Lists the members of an organization, oldest first',
  description:
    'Answers the members with their roles by pages. An administrator of an organization reaches its own alone: every other is 404.',
  input: { path: OrganizationIdPath, query: PageQuery },
  output: { status: 200, json: MemberListResponse },
  errors: ['organization_not_found'],
  uses: ['organizationRecords.find', 'membershipRecords.listOfOrganization'],
} as const satisfies OperationRow;

export const getMember = {
  ...members,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Shows a member',
  description: 'Answers a membership with its roles. 404 when the user is no member.',
  input: { path: MemberPath },
  output: { status: 200, json: MemberResponse },
  errors: ['organization_not_found', 'member_not_found'],
  uses: ['organizationRecords.find', 'membershipRecords.find'],
} as const satisfies OperationRow;

export const updateMember = {
  ...members,
  method: 'PUT',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Changes the roles of a member',
  description:
    'The list replaces the former roles. Tokens that are out keep theirs until they are refreshed. 404 when the user is no member.',
  input: { path: MemberPath, json: UpdateMemberBody },
  output: { status: 200, json: MemberResponse },
  errors: ['organization_not_found', 'member_not_found'],
  audit: 'management.changed',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.replace'],
} as const satisfies OperationRow;

export const deleteMember = {
  ...members,
  method: 'DELETE',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Ends a membership; the user stays',
  description:
    'What was issued to the user for this organization cannot be refreshed afterwards. 404 when the user is no member.',
  input: { path: MemberPath },
  output: { status: 204 },
  errors: ['organization_not_found', 'member_not_found'],
  audit: 'management.changed',
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.remove'],
} as const satisfies OperationRow;
