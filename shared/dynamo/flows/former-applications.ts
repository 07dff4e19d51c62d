import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { FormerApplications } from '../../ports/authorization.ts';
import { readNumber, readText } from '../attributes.ts';
import { formerApplicationKey, formerApplicationsPartition } from '../keys.ts';
import type { Table } from '../table.ts';

/** Creates the store of deleted applications. Their codes are in the same table, so both are lost or restored together. */
export function formerApplications(table: Table): FormerApplications {
  return {
    async remember(tenantId, applicationId, until) {
      await table.put({
        ...formerApplicationKey(tenantId, applicationId),
        tenant_id: tenantId,
        application_id: applicationId,
        until,
        purge_at: until + EXPIRED_KEPT_SECONDS,
      });
    },

    async listOf(tenantId, at) {
      const items = await table.query(formerApplicationsPartition(tenantId));
      return items
        .filter((item) => readNumber(item, 'until') > at)
        .map((item) => readText(item, 'application_id'));
    },
  };
}
