import { LIST_LIMIT_MAX } from '../../domain/basis/limits.ts';
import type {
  Application,
  ApplicationRecords,
  Applications,
  ApplicationsOfTenant,
} from '../../ports/directory.ts';
import { applicationFields } from '../../records/application.ts';
import { createCache } from '../cache.ts';
import { createCodec } from '../codec-of.ts';
import { applicationKey, listPartitions } from '../keys.ts';
import { cachedReader, type RecordStorage, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';
import { type Deployment, limitToDeployment } from './deployed-settings.ts';
import { hadOrigins, hasOrigins, removeOrigins, storeOrigins } from './relying-parties.ts';

const kind: RecordStorage<Application> = {
  key: applicationKey,
  id: (application) => application.applicationId,
  list: (application) => listPartitions.applications(application.tenantId),
  toListPartition: listPartitions.applications,
  codec: createCodec(applicationFields),
};

/** Creates the reader of applications. It omits settings that the deployment does not support. */
export function applications(table: Table, deployment: Deployment): Applications {
  const known = cachedReader(table, kind);
  return {
    async find(applicationId) {
      const application = await known.find(applicationId);
      return application && limitToDeployment(application, deployment);
    },
  };
}

/** Creates the reader of a tenant's applications. It returns at most one page of the index, and caches this page. */
export function applicationsOfTenant(table: Table): ApplicationsOfTenant {
  const cache = createCache<readonly Application[]>();
  const { list } = recordStore(table, kind);
  return {
    async list(tenantId) {
      const load = async () => (await list(tenantId, { limit: LIST_LIMIT_MAX })).items;
      return (await cache(tenantId, load)) ?? [];
    },
  };
}

/**
 * Creates the store of applications. Each write also copies the application's origins and native apps to its RP ID, where
 * browsers and devices request them. If a crash leaves the copy outdated, the next change corrects it; no rule depends on the
 * copy.
 */
export function applicationRecords(table: Table): ApplicationRecords {
  const store = recordStore(table, kind);

  return {
    ...store,
    async areAtLeast(tenantId, limit) {
      return (await table.queryKeys(kind.toListPartition(tenantId), { limit })).items.length === limit;
    },
    async put(application) {
      const written = await store.put(application);
      if (written && hasOrigins(application)) await storeOrigins(table, application);
      return written;
    },
    async replace(expected, next) {
      const written = await store.replace(expected, next);
      if (written && (hadOrigins(expected) || hadOrigins(next))) {
        if (expected.rpId !== next.rpId) await removeOrigins(table, expected);
        await storeOrigins(table, next);
      }
      return written;
    },
    async remove(id) {
      const application = await store.find(id);
      if (application && hadOrigins(application)) await removeOrigins(table, application);
      return store.remove(id);
    },
  };
}
