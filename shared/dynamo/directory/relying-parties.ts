import type { Application, OriginsOfApplication, RelatedOrigins, RpIds } from '../../ports/directory.ts';
import { applicationFields } from '../../records/application.ts';
import { createCache } from '../cache.ts';
import { createCodec } from '../codec-of.ts';
import { applicationKey, relatedOriginsKey, relatedOriginsPartition } from '../keys.ts';
import type { Table } from '../table.ts';

const toItemKey = ({ rpId, applicationId }: Application) => relatedOriginsKey(rpId ?? '', applicationId);

const { tenantId, createdAt, origins, androidApps, iosApps } = applicationFields;
const codec = createCodec({ tenantId, createdAt, origins, androidApps, iosApps });

const lists = (application: Application) => [
  application.origins,
  application.androidApps,
  application.iosApps,
];
/** Returns true if an application has at least one origin or native app for passkeys. */
export const hasOrigins = (application: Application): boolean =>
  lists(application).some((list) => list?.length);
/** Returns true if an application has, or once had, a list of origins or native apps, even if the list is now empty. */
export const hadOrigins = (application: Application): boolean =>
  lists(application).some((list) => list !== undefined);

export async function removeOrigins(table: Table, application: Application): Promise<void> {
  await table.remove(toItemKey(application));
}

/** Copies the origins and native apps of an application to its RP ID, where browsers and devices request them. */
export async function storeOrigins(table: Table, application: Application): Promise<void> {
  if (hasOrigins(application))
    await table.put({ ...toItemKey(application), ...codec.toAttributes(application) });
  else await removeOrigins(table, application);
}

export function relatedOrigins(table: Table): RelatedOrigins {
  const cache = createCache<readonly OriginsOfApplication[]>();
  const read = (rpId: string) =>
    cache(rpId, async () => {
      const items = await table.query(relatedOriginsPartition(rpId));
      return items.map((item) => codec.read(item));
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
      // Increase the version, so that an edit based on an earlier read fails and the caller reads the application again.
      compute: ['#version = #version + :one'],
      values: { rp_id: rpId, one: 1 },
    }),
});
