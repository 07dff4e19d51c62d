import { STATISTICS_KEPT_SECONDS, STATISTICS_SHARDS } from '../../domain/basis/limits.ts';
import type { Page } from '../../ports/directory.ts';
import type { CountedQuarter, Counts, Statistics } from '../../ports/statistics.ts';
import { COUNTED } from '../../records/statistics.ts';
import { type Item, readNumber } from '../attributes.ts';
import { statisticsKey, statisticsPartition } from '../keys.ts';
import type { Table } from '../table.ts';

const countedIn = (item: Item): CountedQuarter => ({
  at: readNumber(item, 'at'),
  ...(Object.fromEntries(COUNTED.map((name) => [name, readNumber(item, name, 0)])) as unknown as Counts),
});

/** Returns the shard of a batch, one of eight. It is chosen by the batch's hash, so that a repetition gets the same shard. */
const chooseShard = (batch: string): number => (Buffer.from(batch, 'base64url')[0] ?? 0) % STATISTICS_SHARDS;

/**
 * Creates the store of statistics, with one item per quarter of an hour and shard. Each item contains counters and the IDs of
 * the batches that they include, so that one write rejects a repeated batch. Concurrent batches are spread over eight items.
 */
export function statistics(table: Table): Statistics {
  /**
   * Reads the newest items of a shard. A partition has at most one item per quarter of an hour, so `quarters` items are enough.
   */
  async function readShard(pk: string, since: number, quarters: number): Promise<readonly CountedQuarter[]> {
    const found: CountedQuarter[] = [];
    let cursor: string | undefined;
    do {
      const page: Page<Item> = await table.queryNewest(pk, {
        limit: quarters - found.length,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.map(countedIn).filter(({ at }) => at >= since));
      const reachesBack = page.items.some((item) => readNumber(item, 'at') < since);
      cursor = reachesBack || found.length >= quarters ? undefined : page.nextCursor;
    } while (cursor !== undefined);
    return found;
  }

  return {
    async count({ tenantId, quarter, batch }, counts) {
      await table.change(statisticsKey(tenantId, chooseShard(batch), quarter), {
        condition: 'attribute_not_exists(#batches) OR NOT contains(#batches, :batch)',
        values: { batch },
        add: { batches: new Set([batch]), ...counts },
        set: { tenant_id: tenantId, at: quarter, purge_at: quarter + STATISTICS_KEPT_SECONDS },
      });
    },

    async list(tenantId, since, quarters) {
      const shards = Array.from({ length: STATISTICS_SHARDS }, (_, shard) =>
        readShard(statisticsPartition(tenantId, shard), since, quarters),
      );
      return (await Promise.all(shards)).flat();
    },
  };
}
