import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application, Page, PageRequest, Resource, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { belongsTo } from '../sessions/audience.ts';
import { listResources, requireResource } from './resources.ts';

/** The owner of the managed resources: the tenant, or one of its applications. */
export interface ResourceOwner {
  readonly tenant: Tenant;
  readonly application?: Application;
}

/** A client acts for its application, a management client for the tenant. */
export function ownerOf(caller: ClientCaller | AdminCaller): ResourceOwner {
  const { tenant } = caller;
  return caller.kind === 'client' ? { tenant, application: caller.application } : { tenant };
}

function sees({ tenant, application }: ResourceOwner, resource: Resource): boolean {
  return resource.tenantId === tenant.tenantId && (!application || belongsTo(resource, application));
}

/** The tenant sees all of its resources, an application those that it may ask tokens for. Errors: `unknown_resource`. */
export async function requireVisibleResource(
  ports: Using<'resourceRecords.find'>,
  owner: ResourceOwner,
  resourceId: string,
): Promise<Resource> {
  const resource = await requireResource(ports, owner.tenant, resourceId);
  if (!sees(owner, resource)) throw new ServiceError('unknown_resource');
  return resource;
}

/** Errors: `unknown_resource`. */
export async function requireResourceByUri(
  ports: Using<'resources'>,
  owner: ResourceOwner,
  uri: string,
): Promise<Resource> {
  const resource = await ports.resources.findByUri(owner.tenant.tenantId, uri, { fresh: true });
  if (!resource || !sees(owner, resource)) throw new ServiceError('unknown_resource');
  return resource;
}

export function listVisibleResources(
  ports: Using<'resourceRecords.list'>,
  owner: ResourceOwner,
  page: PageRequest,
): Promise<Page<Resource>> {
  const { application } = owner;
  return listResources(
    ports,
    owner.tenant,
    page,
    application && ((resource) => belongsTo(resource, application)),
  );
}

/**
 * What an application may change is its own: a resource of the tenant may be that of other applications too.
 * Errors: `unknown_resource`, `insufficient_permission`.
 */
export async function requireChangeable(
  ports: Using<'resourceRecords.find'>,
  owner: ResourceOwner,
  resourceId: string,
): Promise<void> {
  const resource = await requireVisibleResource(ports, owner, resourceId);
  if (owner.application && resource.applicationId === undefined)
    throw new ServiceError('insufficient_permission', {
      message: 'The resource belongs to the tenant: it takes an admin token to change it',
    });
}
