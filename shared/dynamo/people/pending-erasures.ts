import type { PendingErasure, PendingErasures } from '../../ports/people.ts';
import { codec, number, text } from '../codec.ts';
import { listPartitions, listSort, pendingErasureKey } from '../keys.ts';
import type { Table } from '../table.ts';

const pendingErasureItem = codec<PendingErasure>({
  erasureId: text('erasure_id'),
  userId: text('user_id'),
  tenantId: text('tenant_id'),
  effectiveAt: number('effective_at'),
});

/** In one list for all tenants, in the order of their time. */
export function pendingErasures(table: Table): PendingErasures {
  return {
    async put(erasure) {
      const { userId, erasureId, effectiveAt } = erasure;
      await table.put({
        ...pendingErasureKey(userId, erasureId),
        list_pk: listPartitions.erasures(),
        list_sk: listSort(effectiveAt, erasureId),
        ...pendingErasureItem.toAttributes(erasure),
      });
    },

    async listDue(at, page) {
      const { items, nextCursor } = await table.queryIndex(listPartitions.erasures(), page);
      const due = items.map(pendingErasureItem.read).filter(({ effectiveAt }) => effectiveAt <= at);
      return { items: due, ...(nextCursor !== undefined && due.length === items.length && { nextCursor }) };
    },

    async remove(userId, erasureId) {
      return table.remove(pendingErasureKey(userId, erasureId));
    },
  };
}
