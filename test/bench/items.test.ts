import { expect, test } from '@jest/globals';
import { WRITES_OF_HOTTEST_ITEM } from '../../lib/operator/cost/sizing.ts';
import { isFull } from '../support/tools/full-run.ts';

const LOGINS = 48;

(isFull ? test : test.skip)('no item is written or read by every login of an application', async () => {
  const { measureItems } = await import('./items.ts');
  const rows = await measureItems(LOGINS);
  expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['otp#', 'window#', 'session#']));
  // Chance gives some items of a window more of its writes than others.
  for (const { writes, reads } of rows)
    expect(Math.max(writes, reads)).toBeLessThan(4 * WRITES_OF_HOTTEST_ITEM);
});
