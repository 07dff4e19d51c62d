import { ABANDONED_URI_SECONDS, SECONDS_PER_DAY } from '../../shared/domain/basis/limits.ts';
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
  common,
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
  summary: "Creates a resource of the caller's application or of the tenant",
  description:
    "A resource that is created with a client token belongs to the client's application; with an admin token it belongs to the tenant, which assigns it to applications by their `resources`. If another resource or another tenant has the URI, the response is 400; `message` lists all problems.",
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
    'Lists resources, oldest first: all of the tenant, or those that the application may request tokens for',
  description:
    'An admin token lists all resources of the tenant, a client token those that its application may request tokens for. A record that was just created may be missing for a moment.',
  permissions: READ,
  uses: ['resourceRecords.list'],
});

export const findResourceByUri = {
  ...common,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/resources/uri',
  summary: 'Finds a resource by its URI',
  description:
    "Returns the resource with exactly this `uri`. A resource that the caller's application may not request tokens for is 404 too.",
  permissions: READ,
  input: { query: ResourceUriQuery },
  output: { status: 200, json: ResourceResponse },
  errors: ['unknown_resource'],
  uses: ['resources'],
} as const satisfies OperationRow;

export const getResource = resources.get({
  summary: 'Returns a resource',
  description:
    "Returns the record of a resource. A resource that the caller's application may not request tokens for is 404 too.",
  permissions: READ,
  uses: ['resourceRecords.find'],
});

export const updateResource = resources.update({
  section: 'E2',
  summary: 'Updates the given fields of a resource',
  description: `Fields that are not given stay unchanged, and null removes the description. Issued tokens keep their lifetime, and a URI that is given up stays reserved for the tenant for ${ABANDONED_URI_SECONDS / SECONDS_PER_DAY} days. A client can only update resources that its application owns; a resource of the tenant is 403.`,
  permissions: EDIT,
  errors: ['concurrent_change'],
  uses: [
    'resourceRecords.find',
    'resourceRecords.replace',
    'resourceRecords.reserveUri',
    'resourceRecords.releaseUri',
    'uriOwners.reserve',
    'uriOwners.reserveUntil',
  ],
});

export const deleteResource = resources.delete({
  summary: 'Deletes a resource that no application uses',
  description:
    'Tokens that were issued for the resource cannot be refreshed any more. A client can only delete resources that its application owns; a resource of the tenant is 403. While an application has the resource among its `resources`, the response is 409.',
  permissions: DELETE,
  errors: ['in_use'],
  uses: [
    'resourceRecords.find',
    'resourceRecords.remove',
    'resourceRecords.releaseUri',
    'uriOwners.reserveUntil',
    'applicationRecords.list',
  ],
});
