import type { Operation } from '../../shared/operation.ts';
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
} from '../../shared/schemas/management.ts';
import { PageQuery } from '../../shared/schemas/paging.ts';

/** Rows of the table for organizations and their members, whom those who administer an organization reach too. */

export const createOrganization = {
  section: 'organizations',
  method: 'POST',
  path: '/v1/organizations',
  entry: 'organizations/create-organization',
  reach: 'api',
  summary: 'Makes an organization',
  auth: 'admin',
  cors: 'none',
  input: { json: CreateOrganizationBody },
  output: { status: 201, json: OrganizationResponse },
  dialect: 'numeric',
  errors: [],
  uses: ['organizationRecords.put'],
} as const satisfies Operation;

export const listOrganizations = {
  section: 'organizations',
  method: 'GET',
  path: '/v1/organizations',
  entry: 'organizations/list-organizations',
  reach: 'api',
  summary: 'Lists the organizations of the tenant, oldest first',
  auth: 'admin',
  cors: 'none',
  input: { query: PageQuery },
  output: { status: 200, json: OrganizationListResponse },
  dialect: 'numeric',
  errors: [],
  uses: ['organizationRecords.list'],
} as const satisfies Operation;

export const getOrganization = {
  section: 'organizations',
  method: 'GET',
  path: '/v1/organizations/{organizationId}',
  entry: 'organizations/get-organization',
  reach: 'api',
  summary: 'Shows an organization',
  auth: 'admin',
  cors: 'none',
  input: { path: OrganizationIdPath },
  output: { status: 200, json: OrganizationResponse },
  dialect: 'numeric',
  errors: ['organization_not_found'],
  uses: ['organizationRecords.find'],
} as const satisfies Operation;

export const updateOrganization = {
  section: 'organizations',
  method: 'PUT',
  path: '/v1/organizations/{organizationId}',
  entry: 'organizations/update-organization',
  reach: 'api',
  summary: 'Changes an organization',
  auth: 'admin',
  cors: 'none',
  input: { path: OrganizationIdPath, json: UpdateOrganizationBody },
  output: { status: 200, json: OrganizationResponse },
  dialect: 'numeric',
  errors: ['organization_not_found', 'concurrent_change'],
  uses: ['organizationRecords.find', 'organizationRecords.replace'],
} as const satisfies Operation;

export const deleteOrganization = {
  section: 'organizations',
  method: 'DELETE',
  path: '/v1/organizations/{organizationId}',
  entry: 'organizations/delete-organization',
  reach: 'api',
  summary: 'Deletes an organization with its memberships; the users stay',
  auth: 'admin',
  cors: 'none',
  input: { path: OrganizationIdPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['organization_not_found'],
  uses: [
    'organizationRecords.find',
    'organizationRecords.remove',
    'membershipRecords.remove',
    'membershipRecords.listOfOrganization',
  ],
} as const satisfies Operation;

export const createMember = {
  section: 'organizations',
  method: 'POST',
  path: '/v1/organizations/{organizationId}/members',
  entry: 'organizations/create-member',
  reach: 'api',
  summary: 'Makes a user a member of an organization',
  auth: ['admin', 'org-admin'],
  cors: 'none',
  input: { path: OrganizationIdPath, json: CreateMemberBody },
  output: { status: 201, json: MemberResponse },
  dialect: 'numeric',
  errors: ['organization_not_found', 'user_not_found', 'already_member'],
  uses: ['organizationRecords.find', 'membershipRecords.put', 'users.find'],
} as const satisfies Operation;

export const listMembers = {
  section: 'organizations',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/members',
  entry: 'organizations/list-members',
  reach: 'api',
  summary: 'Lists the members of an organization, oldest first',
  auth: ['admin', 'org-admin'],
  cors: 'none',
  input: { path: OrganizationIdPath, query: PageQuery },
  output: { status: 200, json: MemberListResponse },
  dialect: 'numeric',
  errors: ['organization_not_found'],
  uses: ['organizationRecords.find', 'membershipRecords.listOfOrganization'],
} as const satisfies Operation;

export const getMember = {
  section: 'organizations',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  entry: 'organizations/get-member',
  reach: 'api',
  summary: 'Shows a member',
  auth: ['admin', 'org-admin'],
  cors: 'none',
  input: { path: MemberPath },
  output: { status: 200, json: MemberResponse },
  dialect: 'numeric',
  errors: ['organization_not_found', 'member_not_found'],
  uses: ['organizationRecords.find', 'membershipRecords.find'],
} as const satisfies Operation;

export const updateMember = {
  section: 'organizations',
  method: 'PUT',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  entry: 'organizations/update-member',
  reach: 'api',
  summary: 'Changes the roles of a member',
  auth: ['admin', 'org-admin'],
  cors: 'none',
  input: { path: MemberPath, json: UpdateMemberBody },
  output: { status: 200, json: MemberResponse },
  dialect: 'numeric',
  errors: ['organization_not_found', 'member_not_found'],
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.replace'],
} as const satisfies Operation;

export const deleteMember = {
  section: 'organizations',
  method: 'DELETE',
  path: '/v1/organizations/{organizationId}/members/{userId}',
  entry: 'organizations/delete-member',
  reach: 'api',
  summary: 'Ends a membership; the user stays',
  auth: ['admin', 'org-admin'],
  cors: 'none',
  input: { path: MemberPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['organization_not_found', 'member_not_found'],
  uses: ['organizationRecords.find', 'membershipRecords.find', 'membershipRecords.remove'],
} as const satisfies Operation;
