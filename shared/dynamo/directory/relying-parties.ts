import type { Application, OriginsOfApplication, RelatedOrigins, RpIds } from '../../ports/directory.ts';
import { readNumber, readText, readTexts } from '../attributes.ts';
import { createCache } from '../cache.ts';
import { applicationKey, relatedOriginsKey, relatedOriginsPartition } from '../keys.ts';
import type { Table } from '../table.ts';

const toItemKey = ({ rpId, applicationId }: Application) => relatedOriginsKey(rpId ?? '', applicationId);

export async function removeOrigins(table: Table, application: Application): Promise<void> {
  await table.remove(toItemKey(application));
}

/** Stores the origins of an application under its RP ID. */
export async function storeOrigins(table: Table, application: Application): Promise<void> {
  const { origins = [], tenantId, createdAt } = application;
  if (origins.length === 0) await removeOrigins(table, application);
  else await table.put({ ...toItemKey(application), origins, tenant_id: tenantId, created_at: createdAt });
}

export function relatedOrigins(table: Table): RelatedOrigins {
  const cache = createCache<readonly OriginsOfApplication[]>();
  const read = (rpId: string) =>
    cache(rpId, async () => {
      const items = await table.query(relatedOriginsPartition(rpId));
      return items.map((item) => ({
        origins: readTexts(item, 'origins'),
        tenantId: readText(item, 'tenant_id'),
        createdAt: readNumber(item, 'created_at'),
      }));
    });
  return {
    async list(rpId, { byDefault }) {
      const [own = [], others = []] = await Promise.all([read(rpId), byDefault ? read('') : undefined]);
      return [...own, ...others];
    },
  };
}

export const rpIds = (table: Table): RpIds => ({
  fix: (applicationId, rpId) =>
    table.change(applicationKey(applicationId), {
      condition: [
        'attribute_exists(#pk)',
        '(attribute_not_exists(#fixed_rp_id) OR #fixed_rp_id = :rp_id)',
        '(attribute_not_exists(#rp_id) OR #rp_id = :rp_id)',
      ].join(' AND '),
      set: { fixed_rp_id: rpId },
      // Increase the version, so that an edit based on an earlier read fails and must read the application again.
      compute: ['#version = #version + :one'],
      values: { rp_id: rpId, one: 1 },
    }),
});
