import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Resource, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { everyItem } from '../basis/change-record.ts';
import { DAY_SECONDS, RESERVATION_FILL_SECONDS, URI_HELD_SECONDS } from '../basis/limits.ts';
import { preciseNow } from '../basis/time.ts';

/**
 * A resource URI belongs to one tenant of the environment. All tenants share issuer and keys, so an API that checks the
 * audience and not `tid` would take tokens that another tenant made under its URI.
 */

/**
 * Reserves the URI in the tenant, then in the environment: only a URI that the tenant has no other resource for is asked of all
 * tenants. Errors: `system_invalid_input` when it is taken, `concurrent_change`.
 */
export async function reserveUri(
  ports: Using<'resourceRecords.reserveUri' | 'resourceRecords.releaseUri' | 'uriOwners.reserve'>,
  { tenantId, uri, resourceId }: Resource,
): Promise<void> {
  const startedAt = preciseNow();
  if (!(await ports.resourceRecords.reserveUri(tenantId, uri, resourceId)))
    throw invalidInput('uri: another resource of the tenant has it');
  if (!(await ports.uriOwners.reserve(tenantId, uri, preciseNow()))) {
    await ports.resourceRecords.releaseUri(tenantId, uri, resourceId, preciseNow());
    throw invalidInput(
      `uri: belongs to another tenant of this environment, or did in the last ${URI_HELD_SECONDS / DAY_SECONDS} days`,
    );
  }
  // Another caller may take over a reservation that is not filled in time.
  if (preciseNow() - startedAt > RESERVATION_FILL_SECONDS) throw new ServiceError('concurrent_change');
}

/** Before a resource gives its URI up: its tenant keeps it for a while. */
export async function holdUri(
  ports: Using<'uriOwners.hold'>,
  { tenantId, uri }: Pick<Resource, 'tenantId' | 'uri'>,
): Promise<void> {
  await ports.uriOwners.hold(tenantId, uri, preciseNow() + URI_HELD_SECONDS);
}

/**
 * Gives a URI to a tenant and takes it from all others: their resources stay, and no token is for them any more.
 * @returns the IDs of the tenants that used it
 */
export async function moveUri(
  ports: Using<'uriOwnerRecords.assign' | 'uriOwnerRecords.revoke' | 'tenantRecords.list'>,
  { tenantId }: Tenant,
  uri: string,
): Promise<readonly string[]> {
  await ports.uriOwnerRecords.assign(tenantId, uri, preciseNow());
  const former: string[] = [];
  for await (const other of everyItem((page) => ports.tenantRecords.list('', page)))
    if (other.tenantId !== tenantId && (await ports.uriOwnerRecords.revoke(other.tenantId, uri)))
      former.push(other.tenantId);
  return former;
}

/** Every resource that tokens can be asked for, of all tenants. */
export async function* resourcesInUse(
  ports: Using<'tenantRecords.list' | 'resourceRecords.list' | 'resources'>,
): AsyncGenerator<Resource> {
  for await (const { tenantId } of everyItem((page) => ports.tenantRecords.list('', page)))
    for await (const resource of everyItem((page) => ports.resourceRecords.list(tenantId, page))) {
      const found = await ports.resources.findByUri(tenantId, resource.uri, { fresh: true });
      if (found?.resourceId === resource.resourceId) yield resource;
    }
}
