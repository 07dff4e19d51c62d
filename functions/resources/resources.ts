import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { toResourceRecord } from '../../shared/domain/management/resource-record.ts';
import * as resources from '../../shared/domain/management/resources.ts';
import {
  listVisibleResources,
  requireChangeable,
  requireResourceByUri,
  requireVisibleResource,
  toResourceOwner,
} from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Creates a resource of the client's application or, for a management client, of the tenant (SPEC E1). */
export const createResource: UseCase<typeof rows.createResource> = async (
  { json, caller, request, audit },
  ports,
) => {
  const resource = await resources.createResource(ports, toResourceOwner(caller), json, request.now);
  audit({ recordId: resource.resourceId });
  return { json: { result: toResourceRecord(resource) } };
};

/** Lists the resources of the tenant, or of the client's application. */
export const listResources: UseCase<typeof rows.listResources> = async ({ query, caller }, ports) => {
  const page = await listVisibleResources(ports, toResourceOwner(caller), readPageQuery(query));
  return { json: toListRecord(page, toResourceRecord) };
};

/** Finds a resource by its URI. URIs are compared character by character. */
export const findResourceByUri: UseCase<typeof rows.findResourceByUri> = async ({ query, caller }, ports) => {
  const resource = await requireResourceByUri(ports, toResourceOwner(caller), query.resourceUri);
  return { json: { result: toResourceRecord(resource) } };
};

/** Returns a resource of the tenant, or of the client's application. */
export const getResource: UseCase<typeof rows.getResource> = async ({ path, caller }, ports) => {
  const resource = await requireVisibleResource(ports, toResourceOwner(caller), path.resourceId);
  return { json: { result: toResourceRecord(resource) } };
};

/** Updates the given fields of a resource (SPEC E2). Issued tokens keep their lifetime. */
export const updateResource: UseCase<typeof rows.updateResource> = async (
  { path, json, caller, request },
  ports,
) => {
  await requireChangeable(ports, toResourceOwner(caller), path.resourceId);
  const resource = await resources.updateResource(
    ports,
    { tenant: caller.tenant, ...path },
    json,
    request.now,
  );
  return { json: { result: toResourceRecord(resource) } };
};

/** Deletes a resource that no application uses. Its URI can then be registered again. */
export const deleteResource: UseCase<typeof rows.deleteResource> = async ({ path, caller }, ports) => {
  await requireChangeable(ports, toResourceOwner(caller), path.resourceId);
  await resources.deleteResource(ports, caller.tenant, path.resourceId);
  return { none: true };
};
