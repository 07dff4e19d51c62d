import { ServiceError } from '../../errors/service-error.ts';
import type {
  Application,
  NewResourceFields,
  Page,
  PageRequest,
  Resource,
  ResourceFields,
  Tenant,
} from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { applyChanges, createRecord } from '../../records/record.ts';
import { resourceFields } from '../../records/resource.ts';
import { iterateItems, requireRecordOfTenant } from '../basis/change-record.ts';
import { newId } from '../basis/random.ts';
import { preciseNow } from '../basis/time.ts';
import { resourceReaders } from './resource-record.ts';
import { reserveAbandonedUri, reserveUri } from './resource-uris.ts';

/** Creates a resource of an application, or of the tenant. Errors: `system_invalid_input`, also if its URI is taken. */
export async function createResource(
  ports: PortsWith<
    'resourceRecords.put' | 'resourceRecords.reserveUri' | 'resourceRecords.releaseUri' | 'uriOwners.reserve'
  >,
  owner: { readonly tenant: Tenant; readonly application?: Application | undefined },
  fields: NewResourceFields,
  at: number,
): Promise<Resource> {
  const own = {
    resourceId: newId(),
    tenantId: owner.tenant.tenantId,
    applicationId: owner.application?.applicationId,
    createdAt: at,
    updatedAt: at,
  };
  const resource = createRecord(resourceFields, own, fields, resourceReaders);
  await reserveUri(ports, resource);
  if (!(await ports.resourceRecords.put(resource))) throw new Error('a fresh resource ID is in use');
  return resource;
}

/** Returns a resource of the tenant. Errors: `unknown_resource`. */
export function requireResource(
  ports: PortsWith<'resourceRecords.find'>,
  { tenantId }: Tenant,
  resourceId: string,
): Promise<Resource> {
  return requireRecordOfTenant(ports.resourceRecords, tenantId, resourceId, 'unknown_resource');
}

export function listResources(
  ports: PortsWith<'resourceRecords.list'>,
  { tenantId }: Tenant,
  page: PageRequest,
  keep?: (resource: Resource) => boolean,
): Promise<Page<Resource>> {
  return ports.resourceRecords.list(tenantId, page, keep);
}

/**
 * Replaces a resource. A new URI is reserved before the write, and the previous URI is released after it. If a crash in between
 * leaves a reservation without a resource, the reservation can be replaced a minute later. Errors: `system_invalid_input`,
 * `concurrent_change`.
 * @param startedAt Time before `current` was read, in epoch seconds with a fractional part.
 */
export async function replaceResource(
  ports: PortsWith<
    | 'resourceRecords.find'
    | 'resourceRecords.replace'
    | 'resourceRecords.reserveUri'
    | 'resourceRecords.releaseUri'
    | 'uriOwners.reserve'
    | 'uriOwners.reserveUntil'
  >,
  {
    current,
    next,
    startedAt,
  }: { readonly current: Resource; readonly next: Resource; readonly startedAt: number },
): Promise<void> {
  const { resourceId } = next;
  if (next.uri !== current.uri) {
    await reserveUri(ports, next);
    await reserveAbandonedUri(ports, current);
  }
  if (!(await ports.resourceRecords.replace(current, next))) {
    // If the resource still exists, a concurrent change may be about to use the reserved URI. Therefore, the reservation is
    // released only if the resource was deleted.
    if (!(await ports.resourceRecords.find(resourceId)))
      await ports.resourceRecords.releaseUri(next.tenantId, next.uri, resourceId, preciseNow());
    throw new ServiceError('concurrent_change');
  }
  if (next.uri !== current.uri)
    await ports.resourceRecords.releaseUri(current.tenantId, current.uri, resourceId, startedAt);
}

/** Applies the given fields to a resource; leaves the other fields unchanged. Errors: `system_invalid_input`. */
export const applyResourceFields = (current: Resource, fields: ResourceFields, at: number): Resource => ({
  ...applyChanges(resourceFields, current, fields, resourceReaders),
  updatedAt: at,
});

/** Changes the given fields of a resource. Errors: `unknown_resource`, `system_invalid_input`, `concurrent_change`. */
export async function updateResource(
  ports: Parameters<typeof replaceResource>[0],
  { tenant, resourceId }: { readonly tenant: Tenant; readonly resourceId: string },
  fields: ResourceFields,
  at: number,
): Promise<Resource> {
  const startedAt = preciseNow();
  const current = await requireResource(ports, tenant, resourceId);
  const next = applyResourceFields(current, fields, at);
  await replaceResource(ports, { current, next, startedAt });
  return next;
}

/** Removes an unused resource. Its URI is released last: it must stay reserved while clients can still request the resource. */
export async function removeResource(
  ports: PortsWith<'resourceRecords.remove' | 'resourceRecords.releaseUri' | 'uriOwners.reserveUntil'>,
  { tenantId, uri, resourceId }: Resource,
): Promise<boolean> {
  await reserveAbandonedUri(ports, { tenantId, uri });
  const removed = await ports.resourceRecords.remove(resourceId);
  await ports.resourceRecords.releaseUri(tenantId, uri, resourceId, preciseNow());
  return removed;
}

/** Deletes a resource. Errors: `unknown_resource`, `in_use` while an application lists it among its resources. */
export async function deleteResource(
  ports: PortsWith<
    | 'resourceRecords.find'
    | 'resourceRecords.remove'
    | 'resourceRecords.releaseUri'
    | 'uriOwners.reserveUntil'
    | 'applicationRecords.list'
  >,
  tenant: Tenant,
  resourceId: string,
): Promise<void> {
  const resource = await requireResource(ports, tenant, resourceId);
  const applications = iterateItems((page) => ports.applicationRecords.list(tenant.tenantId, page));
  for await (const application of applications)
    if (application.resourceIds.includes(resourceId))
      throw new ServiceError('in_use', {
        message: `The resource is in use by the application ${application.applicationId}`,
      });
  if (!(await removeResource(ports, resource))) throw new ServiceError('unknown_resource');
}
