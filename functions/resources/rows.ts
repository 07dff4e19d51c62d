import { SECONDS_PER_DAY, URI_HELD_SECONDS } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import {
  CreateResourceBody,
  ResourceIdPath,
  ResourceListResponse,
  ResourceResponse,
  ResourceUriQuery,
  UpdateResourceBody,
} from '../../shared/schemas/resources.ts';
import { administration, recordRows } from '../records/record-rows.ts';

/** Rows of the table for resources: audiences of access tokens (SPEC E). */

const CREATE = ['resources:create', 'apps:create', '[appId]:create'] as const;
const READ = ['resources:read', 'apps:read', '[appId]:read'] as const;
const EDIT = ['resources:edit', 'apps:edit', '[appId]:edit'] as const;
const DELETE = ['resources:delete', 'apps:delete', '[appId]:delete'] as const;

const common = {
  ...administration,
  file: 'resources/resources',
  section: 'E',
  record: 'resourceId',
  auth: ['client', 'admin', 'operator'],
} as const;

const resources = recordRows({
  common: common,
  path: '/v1/resources',
  id: 'resourceId',
  item: ResourceIdPath,
  create: CreateResourceBody,
  update: UpdateResourceBody,
  one: ResourceResponse,
  list: ResourceListResponse,
  itemErrors: ['unknown_resource'],
});

export const createResource = resources.create({
  operators: 'admin',
  unguarded: 'inert',
  section: 'E1',
  summary: "Creates a resource, of the caller's application or of the tenant",
  description:
    'A resource made with a client token belongs to its application; one made with an admin token to the tenant, which gives it to applications by their `resources`. 400 when another resource or another tenant has the URI; `message` lists all complaints.',
  permissions: CREATE,
  dialect: 'numeric-list',
  errors: ['concurrent_change'],
  uses: [
    'resourceRecords.put',
    'resourceRecords.reserveUri',
    'resourceRecords.releaseUri',
    'uriOwners.reserve',
  ],
});

export const listResources = resources.list({
  summary:
    'Lists resources, oldest first: all of the tenant, or those that the application may ask tokens for',
  description:
    'An admin token lists all resources of the tenant, a client token those that its application may ask tokens for. A record that was just made may be missing for a moment.',
  permissions: READ,
  uses: ['resourceRecords.list'],
});

export const findResourceByUri = {
  ...common,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/resources/uri',
  summary: 'Shows the resource of a URI',
  description:
    "Answers the resource with exactly this `uri`. 404 for one that the caller's application may not ask tokens for, too.",
  permissions: READ,
  input: { query: ResourceUriQuery },
  output: { status: 200, json: ResourceResponse },
  errors: ['unknown_resource'],
  uses: ['resources'],
} as const satisfies OperationRow;

export const getResource = resources.get({
  summary: 'Shows a resource',
  description:
    "Answers the record of a resource. 404 for one that the caller's application may not ask tokens for, too.",
  permissions: READ,
  uses: ['resourceRecords.find'],
});

export const updateResource = resources.update({
  section: 'E2',
  summary: 'Changes the given fields of a resource',
  description: `Fields that are not given stay, and null removes the description. Tokens that are out keep their lifetime, and a URI that is given up stays its tenant's for ${URI_HELD_SECONDS / SECONDS_PER_DAY} days. A client changes what its application owns; a resource of the tenant is 403 to it.`,
  permissions: EDIT,
  errors: ['concurrent_change'],
  uses: [
    'resourceRecords.find',
    'resourceRecords.replace',
    'resourceRecords.reserveUri',
    'resourceRecords.releaseUri',
    'uriOwners.reserve',
    'uriOwners.hold',
  ],
});

export const deleteResource = resources.delete({
  summary: 'Deletes a resource that no application has among its resources',
  description:
    'What was issued for it cannot be refreshed afterwards. A client deletes what its application owns; a resource of the tenant is 403 to it. 409 while an application has it among its `resources`.',
  permissions: DELETE,
  errors: ['in_use'],
  uses: [
    'resourceRecords.find',
    'resourceRecords.remove',
    'resourceRecords.releaseUri',
    'uriOwners.hold',
    'applicationRecords.list',
  ],
});
