import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Resource, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { iterateItems } from '../basis/change-record.ts';
import { ABANDONED_URI_SECONDS, DAY_SECONDS, RESERVATION_FILL_SECONDS } from '../basis/limits.ts';
import { preciseNow } from '../basis/time.ts';

// A resource URI belongs to one tenant of the environment. All tenants share issuer and keys, so an API that checks the
// audience but not `tid` would accept tokens that another tenant issued for the same URI.

/**
 * Reserves a resource URI, first in the tenant and then in the environment. A URI that another resource of the tenant uses is
 * therefore rejected without a request to the environment's list. Errors: `system_invalid_input` if the URI is taken,
 * `concurrent_change`.
 */
export async function reserveUri(
  ports: PortsWith<'resourceRecords.reserveUri' | 'resourceRecords.releaseUri' | 'uriOwners.reserve'>,
  { tenantId, uri, resourceId }: Resource,
): Promise<void> {
  const startedAt = preciseNow();
  if (!(await ports.resourceRecords.reserveUri(tenantId, uri, resourceId)))
    throw invalidInput('uri: another resource of the tenant has it');
  if (!(await ports.uriOwners.reserve(tenantId, uri, preciseNow()))) {
    await ports.resourceRecords.releaseUri(tenantId, uri, resourceId, preciseNow());
    throw invalidInput(
      `uri: belongs to another tenant of this environment, or did in the last ${ABANDONED_URI_SECONDS / DAY_SECONDS} days`,
    );
  }
  // The reservation took too long, so another caller may already have taken it over.
  if (preciseNow() - startedAt > RESERVATION_FILL_SECONDS) throw new ServiceError('concurrent_change');
}

/**
 * Blocks a URI for other tenants before its resource stops using it, so that old tokens for the URI are never valid for a new
 * owner.
 */
export async function reserveAbandonedUri(
  ports: PortsWith<'uriOwners.reserveUntil'>,
  { tenantId, uri }: Pick<Resource, 'tenantId' | 'uri'>,
): Promise<void> {
  await ports.uriOwners.reserveUntil(tenantId, uri, preciseNow() + ABANDONED_URI_SECONDS);
}

/**
 * Assigns a URI to a tenant, and revokes the assignment to other tenants. Their resources stay, but tokens can no longer be
 * issued for these resources.
 * @returns IDs of the tenants that used the URI.
 */
export async function moveUri(
  ports: PortsWith<'uriOwnerRecords.assign' | 'uriOwnerRecords.revoke' | 'tenantRecords.list'>,
  { tenantId }: Tenant,
  uri: string,
): Promise<readonly string[]> {
  await ports.uriOwnerRecords.assign(tenantId, uri, preciseNow());
  const former: string[] = [];
  for await (const other of iterateItems((page) => ports.tenantRecords.list('', page)))
    if (other.tenantId !== tenantId && (await ports.uriOwnerRecords.revoke(other.tenantId, uri)))
      former.push(other.tenantId);
  return former;
}

/** Iterates over all resources, of all tenants, for which tokens can be requested. */
export async function* iterateRequestableResources(
  ports: PortsWith<'tenantRecords.list' | 'resourceRecords.list' | 'resources'>,
): AsyncGenerator<Resource> {
  for await (const { tenantId } of iterateItems((page) => ports.tenantRecords.list('', page)))
    for await (const resource of iterateItems((page) => ports.resourceRecords.list(tenantId, page))) {
      const found = await ports.resources.findByUri(tenantId, resource.uri, { fresh: true });
      if (found?.resourceId === resource.resourceId) yield resource;
    }
}
