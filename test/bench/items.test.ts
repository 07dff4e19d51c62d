import { expect, test } from '@jest/globals';
import { READS_OF_CLIENT, WRITES_OF_HOTTEST_ITEM } from '../../lib/operator/cost/login-limits.ts';
import { isFull } from '../support/tools/full-run.ts';

const LOGINS = 48;

(isFull ? test : test.skip)(
  'no item is written by every login of an application, and one is read: its client',
  async () => {
    const { measureItems } = await import('./items.ts');
    const rows = await measureItems(LOGINS);
    expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['otp#', 'window#', 'session#']));
    // Chance gives some items of a window more of its writes than others.
    for (const { writes } of rows) expect(writes).toBeLessThan(4 * WRITES_OF_HOTTEST_ITEM);
    for (const { kind, reads } of rows)
      expect([kind, reads]).toEqual([kind, kind === 'client#' ? READS_OF_CLIENT : expect.any(Number)]);
    expect(rows.filter(({ kind, reads }) => kind !== 'client#' && reads >= 1)).toEqual([]);
  },
);
