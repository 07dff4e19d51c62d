import { LIST_LIMIT_MAX, ORPHANED_RESERVATION_SECONDS } from '../../domain/basis/limits.ts';
import type { Resource, ResourceRecords, Resources, ResourcesOfTenant } from '../../ports/directory.ts';
import { resourceFields } from '../../records/resource.ts';
import type { Item } from '../attributes.ts';
import { readNumber, readText } from '../attributes.ts';
import { createCache } from '../cache.ts';
import { createCodec } from '../codec-of.ts';
import { listPartitions, resourceKey, resourceUriKey } from '../keys.ts';
import { type RecordStorage, readRecord, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const resourceItem = createCodec(resourceFields);

const kind: RecordStorage<Resource> = {
  key: resourceKey,
  id: (resource) => resource.resourceId,
  list: (resource) => listPartitions.resources(resource.tenantId),
  toListPartition: listPartitions.resources,
  codec: resourceItem,
};

/**
 * Finds the resource for which a URI is reserved. Returns undefined if the resource no longer exists or now has another URI.
 */
async function holder(
  table: Table,
  reservation: Item | undefined,
  tenantId: string,
  uri: string,
): Promise<Resource | undefined> {
  const resource =
    reservation && (await readRecord(table, resourceKey(readText(reservation, 'resource_id')), resourceItem));
  return resource?.uri === uri && resource.tenantId === tenantId ? resource : undefined;
}

/** Finds a tenant's existing resource with the given URI. */
export async function findResourceByUri(
  table: Table,
  tenantId: string,
  uri: string,
): Promise<Resource | undefined> {
  return holder(table, await table.get(resourceUriKey(tenantId, uri)), tenantId, uri);
}

export function resources(table: Table): Resources {
  const cache = createCache<Resource>();
  return {
    findByUri(tenantId, uri, options) {
      return cache(resourceUriKey(tenantId, uri).pk, () => findResourceByUri(table, tenantId, uri), options);
    },
  };
}

/** Creates the reader of a tenant's resources. It returns at most one page of the index, and caches this page. */
export function resourcesOfTenant(table: Table): ResourcesOfTenant {
  const cache = createCache<readonly Resource[]>();
  const { list } = recordStore(table, kind);
  return {
    async list(tenantId) {
      const load = async () => (await list(tenantId, { limit: LIST_LIMIT_MAX })).items;
      return (await cache(tenantId, load)) ?? [];
    },
  };
}

export function resourceRecords(table: Table): ResourceRecords {
  return {
    ...recordStore(table, kind),

    async reserveUri(tenantId, uri, resourceId) {
      const key = resourceUriKey(tenantId, uri);
      const at = Date.now() / 1000;
      const reservation = { ...key, tenant_id: tenantId, uri, resource_id: resourceId, claimed_at: at };
      const attempt = await table.tryPut(reservation, {
        condition: 'attribute_not_exists(#pk) OR #resource_id = :resource_id',
        values: { resource_id: resourceId },
        tokenAttribute: 'claimed_by',
      });
      const { done, existing: seen } = attempt;
      if (!seen) return done;
      // The URI is reserved before its resource is written, so a recent reservation may not have its resource yet.
      const isYoung = at - readNumber(seen, 'claimed_at') < ORPHANED_RESERVATION_SECONDS;
      if (isYoung || (await holder(table, seen, tenantId, uri)) !== undefined) return false;
      return table.put(reservation, {
        condition: '#resource_id = :other AND #claimed_at = :claimed_at',
        values: { other: seen.resource_id, claimed_at: seen.claimed_at },
        tokenAttribute: 'claimed_by',
      });
    },

    async releaseUri(tenantId, uri, resourceId, reservedUpTo) {
      await table.remove(resourceUriKey(tenantId, uri), {
        condition: '#resource_id = :resource_id AND #claimed_at <= :reserved_up_to',
        values: { resource_id: resourceId, reserved_up_to: reservedUpTo },
      });
    },
  };
}
