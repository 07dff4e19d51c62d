import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { STATISTICS_INTERVAL_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { statistics } from '../../../shared/dynamo/events/statistics.ts';
import { statisticsPartition } from '../../../shared/dynamo/keys.ts';
import { STATISTICS_ITEM_APPLICATIONS } from '../../../shared/records/statistics.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const QUARTER = T - (T % STATISTICS_INTERVAL_SECONDS);
const hashBatch = (name: string | number) =>
  createHash('sha256').update(String(name)).digest().subarray(0, 6).toString('base64url');
/** Returns a hash whose batch is counted in the first shard. */
const inFirstShard = (name: string) => Buffer.from(`\0${name}`.padEnd(6, '.')).toString('base64url');

describeStore('statistics of audit events', (store) => {
  const opened = () => statistics(store().table('flows'));
  const count = (tenantId: string, name: string | number, quarter = QUARTER) =>
    opened().count({ tenantId, quarter, batch: hashBatch(name) }, { logins: 2, sends: 1 }, new Map());
  const sumCounts = async (tenantId: string, since = QUARTER) => {
    const counted = await opened().list(tenantId, since, 1000);
    const sum = (name: 'logins' | 'sends') => counted.reduce((all, each) => all + each[name], 0);
    return [sum('logins'), sum('sends')];
  };

  test('a batch of events that is delivered several times is counted once in the statistics', async () => {
    const tenant = unique('tenant');
    await count(tenant, 'one');
    await Promise.all(Array.from({ length: 10 }, () => count(tenant, 'one')));
    expect(await sumCounts(tenant)).toEqual([2, 1]);
    await count(tenant, 'two');
    expect(await sumCounts(tenant)).toEqual([4, 2]);
  });

  test('the statistics count each of 200 concurrent batches of events', async () => {
    const tenant = unique('tenant');
    await Promise.all(Array.from({ length: 200 }, (_, n) => count(tenant, n)));
    expect(await sumCounts(tenant)).toEqual([400, 200]);
    const items = await Promise.all(
      Array.from({ length: 8 }, (_, shard) =>
        store().table('flows').query(statisticsPartition(tenant, shard)),
      ),
    );
    expect(items.map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 1));
    for (const [item] of items) expect(Number(item?.logins)).toBeLessThan(100);
  });

  test('the statistics count the messages and logins of each application', async () => {
    const [tenantId, shop, forum] = [unique('tenant'), unique('app'), unique('app')];
    const add = (name: string, counts: object, ids: readonly string[]) =>
      opened().count(
        { tenantId, quarter: QUARTER, batch: inFirstShard(name) },
        {},
        new Map(ids.map((id) => [id, counts])),
      );
    await add('one', { sends: 2, texts: 3 }, [shop, forum]);
    for (let times = 0; times < 2; times += 1) await add('two', { sends: 1, logins: 1 }, [shop]);
    const [counted] = await opened().list(tenantId, QUARTER, 1);
    expect(Object.fromEntries(counted?.applications ?? [])).toEqual({
      [shop]: { sends: 3, logins: 1, texts: 3 },
      [forum]: { sends: 2, logins: 0, texts: 3 },
    });
  });

  test('a full interval of the statistics counts its applications, and others only for the tenant', async () => {
    const tenantId = unique('tenant');
    const add = (name: string, ids: readonly string[]) =>
      opened().count(
        { tenantId, quarter: QUARTER, batch: inFirstShard(name) },
        { sends: 1 },
        new Map(ids.map((id) => [id, { sends: 1 }])),
      );
    const many = Array.from({ length: 2 * STATISTICS_ITEM_APPLICATIONS }, (_, n) => unique(`app${n}`));
    const first = many.slice(0, STATISTICS_ITEM_APPLICATIONS);
    const [known = '', other = ''] = [many.at(0), many.at(-1)];
    await add('all', many);
    for (let times = 0; times < 2; times += 1) await add('known', [known]);
    for (let times = 0; times < 2; times += 1) await add('mixed', [other, known]);
    const [counted] = await opened().list(tenantId, QUARTER, 1);
    expect([counted?.sends, counted?.applications.get(known)?.sends]).toEqual([3, 3]);
    expect([...(counted?.applications.keys() ?? [])].toSorted()).toEqual(first.toSorted());
  });

  test('reading statistics returns no intervals before the requested start', async () => {
    const tenant = unique('tenant');
    for (let n = 0; n < 5; n += 1) await count(tenant, 'one', QUARTER + n * STATISTICS_INTERVAL_SECONDS);
    expect(await sumCounts(tenant, QUARTER + 2 * STATISTICS_INTERVAL_SECONDS)).toEqual([6, 3]);
    expect(await sumCounts(unique('tenant'))).toEqual([0, 0]);
    // The limit of two intervals applies, although five intervals are stored.
    expect(await opened().list(tenant, QUARTER, 2)).toHaveLength(2);
  });

  test('reading statistics ends with the page that contains the first or the last wanted interval', async () => {
    let reads = 0;
    const queryNewest = async () => {
      reads += 1;
      return { items: [{ at: QUARTER }, { at: QUARTER - 1 }], nextCursor: 'next' };
    };
    const { list } = statistics({ ...store().table('flows'), queryNewest });
    expect([(await list('tenant', QUARTER, 1000)).length, reads]).toEqual([8, 8]);
    expect([(await list('tenant', QUARTER - 1, 2)).length, reads]).toEqual([16, 16]);
  });
});
