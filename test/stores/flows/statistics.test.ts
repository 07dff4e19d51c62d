import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { STATISTICS_INTERVAL_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { statistics } from '../../../shared/dynamo/events/statistics.ts';
import { statisticsPartition } from '../../../shared/dynamo/keys.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const QUARTER = T - (T % STATISTICS_INTERVAL_SECONDS);
const hashBatch = (name: string | number) =>
  createHash('sha256').update(String(name)).digest().subarray(0, 6).toString('base64url');

describeStore('statistics of audit events', (store) => {
  const opened = () => statistics(store().table('flows'));
  const count = (tenantId: string, name: string | number, quarter = QUARTER) =>
    opened().count({ tenantId, quarter, batch: hashBatch(name) }, { logins: 2, sends: 1 });
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

  test('reading statistics returns no intervals before the requested start', async () => {
    const tenant = unique('tenant');
    for (let n = 0; n < 5; n += 1) await count(tenant, 'one', QUARTER + n * STATISTICS_INTERVAL_SECONDS);
    expect(await sumCounts(tenant, QUARTER + 2 * STATISTICS_INTERVAL_SECONDS)).toEqual([6, 3]);
    expect(await sumCounts(unique('tenant'))).toEqual([0, 0]);
    // The limit of two intervals applies, although five intervals are stored.
    expect(await opened().list(tenant, QUARTER, 2)).toHaveLength(2);
  });
});
