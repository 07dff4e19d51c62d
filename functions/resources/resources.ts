import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { resourceRecord } from '../../shared/domain/management/resource-record.ts';
import * as resources from '../../shared/domain/management/resources.ts';
import {
  listVisibleResources,
  ownerOf,
  requireChangeable,
  requireResourceByUri,
  requireVisibleResource,
} from '../../shared/domain/management/resources-of-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Creates a resource of the client's application or, for a management client, of the tenant (SPEC E1). */
export const createResource: UseCase<typeof rows.createResource> = async (
  { json, caller, request, audit },
  ports,
) => {
  const resource = await resources.createResource(ports, ownerOf(caller), json, request.now);
  audit({ recordId: resource.resourceId });
  return { json: { result: resourceRecord(resource) } };
};

/** Lists the resources of the tenant, or of the client's application. */
export const listResources: UseCase<typeof rows.listResources> = async ({ query, caller }, ports) => {
  const page = await listVisibleResources(ports, ownerOf(caller), readPageQuery(query));
  return { json: listRecord(page, resourceRecord) };
};

/** Finds a resource by its URI, which is compared character by character. */
export const findResourceByUri: UseCase<typeof rows.findResourceByUri> = async ({ query, caller }, ports) => {
  const resource = await requireResourceByUri(ports, ownerOf(caller), query.resourceUri);
  return { json: { result: resourceRecord(resource) } };
};

/** Returns a resource of the tenant, or of the client's application. */
export const getResource: UseCase<typeof rows.getResource> = async ({ path, caller }, ports) => {
  const resource = await requireVisibleResource(ports, ownerOf(caller), path.resourceId);
  return { json: { result: resourceRecord(resource) } };
};

/** Updates the given fields of a resource (SPEC E2). Issued tokens keep their lifetime. */
export const updateResource: UseCase<typeof rows.updateResource> = async (
  { path, json, caller, request },
  ports,
) => {
  await requireChangeable(ports, ownerOf(caller), path.resourceId);
  const resource = await resources.updateResource(
    ports,
    { tenant: caller.tenant, ...path },
    json,
    request.now,
  );
  return { json: { result: resourceRecord(resource) } };
};

/** Deletes a resource that no application uses, and releases its URI. */
export const deleteResource: UseCase<typeof rows.deleteResource> = async ({ path, caller }, ports) => {
  await requireChangeable(ports, ownerOf(caller), path.resourceId);
  await resources.deleteResource(ports, caller.tenant, path.resourceId);
  return { none: true };
};
