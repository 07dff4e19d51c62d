import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application, Page, PageRequest, Resource, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { canUseResource } from '../sessions/audience.ts';
import { listResources, requireResource } from './resources.ts';

/** Owner of resources: the tenant, or one of its applications. */
export interface ResourceOwner {
  readonly tenant: Tenant;
  readonly application?: Application;
}

/** Returns the owner for which the caller acts: the application of a client, or the tenant of a management client. */
export function toResourceOwner(caller: ClientCaller | AdminCaller): ResourceOwner {
  const { tenant } = caller;
  return caller.kind === 'client' ? { tenant, application: caller.application } : { tenant };
}

function canSee({ tenant, application }: ResourceOwner, resource: Resource): boolean {
  return resource.tenantId === tenant.tenantId && (!application || canUseResource(resource, application));
}

/**
 * Returns a resource that the owner may see. A tenant may see all of its resources, an application only the resources for which
 * it can request tokens. Errors: `unknown_resource`.
 */
export async function requireVisibleResource(
  ports: PortsWith<'resourceRecords.find'>,
  owner: ResourceOwner,
  resourceId: string,
): Promise<Resource> {
  const resource = await requireResource(ports, owner.tenant, resourceId);
  if (!canSee(owner, resource)) throw new ServiceError('unknown_resource');
  return resource;
}

/** Finds a resource by its URI, if the owner may see it. Errors: `unknown_resource`. */
export async function requireResourceByUri(
  ports: PortsWith<'resources'>,
  owner: ResourceOwner,
  uri: string,
): Promise<Resource> {
  const resource = await ports.resources.findByUri(owner.tenant.tenantId, uri, { fresh: true });
  if (!resource || !canSee(owner, resource)) throw new ServiceError('unknown_resource');
  return resource;
}

export function listVisibleResources(
  ports: PortsWith<'resourceRecords.list'>,
  owner: ResourceOwner,
  page: PageRequest,
): Promise<Page<Resource>> {
  const { application } = owner;
  return listResources(
    ports,
    owner.tenant,
    page,
    application && ((resource) => canUseResource(resource, application)),
  );
}

/**
 * Rejects a resource that the owner must not change. An application can change only its own resources, because other
 * applications may use the resources of the tenant. Errors: `unknown_resource`, `insufficient_permission`.
 */
export async function requireChangeable(
  ports: PortsWith<'resourceRecords.find'>,
  owner: ResourceOwner,
  resourceId: string,
): Promise<void> {
  const resource = await requireVisibleResource(ports, owner, resourceId);
  if (owner.application && resource.applicationId === undefined)
    throw new ServiceError('insufficient_permission', {
      message: 'The resource belongs to the tenant: only an admin token can change it',
    });
}
