import { STATISTICS_KEPT_SECONDS, STATISTICS_SHARDS } from '../../domain/basis/limits.ts';
import type { Page } from '../../ports/directory.ts';
import type { ApplicationCounts, CountedQuarter, Counts, Statistics } from '../../ports/statistics.ts';
import { COUNTED, COUNTED_BY_APPLICATION, STATISTICS_ITEM_APPLICATIONS } from '../../records/statistics.ts';
import { type Item, readNumber, readTexts } from '../attributes.ts';
import { statisticsKey, statisticsPartition } from '../keys.ts';
import type { Table } from '../table.ts';

/** Returns the attribute with a count of an application. ADD accepts no attributes inside a map. */
const toAttribute = (name: string, applicationId: string): string => `${name}#${applicationId}`;

const applicationIn = (item: Item, id: string) =>
  Object.fromEntries(
    COUNTED_BY_APPLICATION.map((name) => [name, readNumber(item, toAttribute(name, id), 0)]),
  ) as unknown as ApplicationCounts;

const countedIn = (item: Item): CountedQuarter => ({
  at: readNumber(item, 'at'),
  ...(Object.fromEntries(COUNTED.map((name) => [name, readNumber(item, name, 0)])) as unknown as Counts),
  applications: new Map(readTexts(item, 'applications').map((id) => [id, applicationIn(item, id)])),
});

/** Returns the shard of a batch, one of eight. It is chosen by the batch's hash, so that a repetition gets the same shard. */
const chooseShard = (batch: string): number =>
  Buffer.from(batch, 'base64url').readUInt8() % STATISTICS_SHARDS;

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
    async count({ tenantId, quarter, batch }, counts, given) {
      const applications = new Map([...given].slice(0, STATISTICS_ITEM_APPLICATIONS));
      const key = statisticsKey(tenantId, chooseShard(batch), quarter);
      const write = (counted: typeof applications, condition: string) => {
        const ids = [...counted.keys()];
        const each = ids.flatMap((id, n) =>
          Object.entries(counted.get(id) ?? {}).map(([name, count]) => ({
            alias: `${name}_${n}`,
            name,
            id,
            count,
          })),
        );
        return table.tryUpdate(key, {
          condition: `(attribute_not_exists(#batches) OR NOT contains(#batches, :batch))${condition}`,
          names: Object.fromEntries(each.map(({ alias, name, id }) => [alias, toAttribute(name, id)])),
          values: {
            batch,
            most: STATISTICS_ITEM_APPLICATIONS,
            ...Object.fromEntries(ids.map((id, n) => [`id_${n}`, id])),
          },
          add: {
            batches: new Set([batch]),
            ...counts,
            ...Object.fromEntries(each.map(({ alias, count }) => [alias, count])),
            ...(ids.length > 0 && { applications: new Set(ids) }),
          },
          set: { tenant_id: tenantId, at: quarter, purge_at: quarter + STATISTICS_KEPT_SECONDS },
          returnsNothing: true,
        });
      };
      const areKnown = Array.from(applications, (_, n) => `contains(#applications, :id_${n})`).join(' AND ');
      const hasRoom =
        areKnown &&
        ` AND (attribute_not_exists(#applications) OR size(#applications) < :most OR (${areKnown}))`;
      const first = await write(applications, hasRoom);
      if (!first.existing || readTexts(first.existing, 'batches').includes(batch)) return;
      // The item is full. Applications that it does not contain are counted only in the counts of the tenant.
      const known = new Set(readTexts(first.existing, 'applications'));
      await write(new Map([...applications].filter(([id]) => known.has(id))), '');
    },

    async list(tenantId, since, quarters) {
      const shards = Array.from({ length: STATISTICS_SHARDS }, (_, shard) =>
        readShard(statisticsPartition(tenantId, shard), since, quarters),
      );
      return (await Promise.all(shards)).flat();
    },
  };
}
