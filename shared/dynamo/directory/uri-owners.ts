import { readUriHost } from '../../domain/basis/host-name.ts';
import { ABANDONED_URI_SECONDS } from '../../domain/basis/limits.ts';
import type { UriOwnerRecords, UriOwners } from '../../ports/directory.ts';
import { readNumber, readText } from '../attributes.ts';
import { RESERVED_HOSTS, reservedHostKey, resourceUriKey, uriOwnerKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { findResourceByUri } from './resources.ts';

const ownership = (tenantId: string, uri: string, at: number) => ({
  ...uriOwnerKey(uri),
  uri,
  tenant_id: tenantId,
  claimed_at: at,
});

export function uriOwners(table: Table): UriOwners {
  return {
    async reserve(tenantId, uri, at) {
      const host = readUriHost(uri);
      const reserved = host && (await table.get(reservedHostKey(host)));
      if (reserved && reserved.tenant_id !== tenantId) return false;

      const item = ownership(tenantId, uri, at);
      const attempt = await table.tryPut(item, {
        condition: 'attribute_not_exists(#pk) OR #tenant_id = :tenant_id',
        values: { tenant_id: tenantId },
        tokenAttribute: 'claimed_by',
      });
      const { done, existing: seen } = attempt;
      if (!seen) return done;
      const other = readText(seen, 'tenant_id');
      // Without `held_until`, the URI is in use, or a crash has left the reservation without a resource.
      const heldUntil = readNumber(
        seen,
        'held_until',
        readNumber(seen, 'claimed_at') + ABANDONED_URI_SECONDS,
      );
      if (at < heldUntil || (await findResourceByUri(table, other, uri)) !== undefined) return false;
      return table.put(item, {
        condition: '#tenant_id = :other AND #claimed_at = :claimed_at',
        values: { other, claimed_at: seen.claimed_at },
        tokenAttribute: 'claimed_by',
      });
    },

    async reserveUntil(tenantId, uri, until) {
      await table.update(uriOwnerKey(uri), {
        condition: '#tenant_id = :tenant_id',
        values: { tenant_id: tenantId },
        set: { held_until: until },
      });
    },
  };
}

export function uriOwnerRecords(table: Table): UriOwnerRecords {
  return {
    async find(uri) {
      const item = await table.get(uriOwnerKey(uri));
      return item && readText(item, 'tenant_id');
    },

    async assign(tenantId, uri, at) {
      await table.put(ownership(tenantId, uri, at), { tokenAttribute: 'claimed_by' });
    },

    revoke: (tenantId, uri) => table.remove(resourceUriKey(tenantId, uri)),

    async listHosts() {
      const items = await table.query(RESERVED_HOSTS);
      return items.map((item) => ({ host: readText(item, 'sk'), tenantId: readText(item, 'tenant_id') }));
    },

    reserveHost: (tenantId, host) =>
      table.put(
        { ...reservedHostKey(host), tenant_id: tenantId },
        {
          condition: 'attribute_not_exists(#pk) OR #tenant_id = :tenant_id',
          values: { tenant_id: tenantId },
        },
      ),

    freeHost: (tenantId, host) =>
      table.remove(reservedHostKey(host), {
        condition: '#tenant_id = :tenant_id',
        values: { tenant_id: tenantId },
      }),
  };
}
