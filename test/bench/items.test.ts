import { expect, test } from '@jest/globals';
import { READS_OF_CLIENT, WRITES_OF_HOTTEST_ITEM } from '../../lib/operator/cost/login-limits.ts';
import { hasJava } from '../support/server/store.ts';
import { isFull } from '../support/tools/full-run.ts';

const LOGINS = 24;
/** Of each text, by its tenant's budget and its network: their maxima are far below what one item takes. */
const OF_TEXTS = ['window#sms-tenant', 'window#sms-prefix'];

(isFull && hasJava() ? test : test.skip)(
  'no index is written by a login, and no partition by every login of any kind; one is read: its client',
  async () => {
    const { measureItems } = await import('./items.ts');
    const rows = await measureItems(LOGINS);
    expect(rows.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'otp#',
        'link#',
        'window#client',
        'session#',
        'user#',
        'timeline#',
        'messages#',
      ]),
    );
    // Of an index: a list, or what finds by a beginning.
    expect(rows.filter(({ kind, writes }) => /^(?:find|unknown|.*-of)#/.test(kind) && writes > 0)).toEqual(
      [],
    );
    // Chance gives some items of a window more of its writes than others.
    const isHot = ({ kind, writes }: (typeof rows)[number]) =>
      writes >= 4 * WRITES_OF_HOTTEST_ITEM && !OF_TEXTS.includes(kind);
    expect(rows.filter(isHot)).toEqual([]);
    const read = rows.filter(({ reads }) => reads >= 1);
    expect(read.filter(({ kind, reads }) => kind !== 'client#' || reads > READS_OF_CLIENT)).toEqual([]);
  },
  // Beside other work Java alone takes a minute.
  300_000,
);
