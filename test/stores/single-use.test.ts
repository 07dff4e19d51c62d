import { describe, expect, test } from '@jest/globals';
import { approvals } from '../../shared/dynamo/flows/approvals.ts';
import { webauthnChallenges } from '../../shared/dynamo/flows/webauthn-challenges.ts';
import type { Table } from '../../shared/dynamo/table.ts';
import { someApproval, someChallenge } from '../support/fixtures/signing-records.ts';
import { atOnce } from '../support/server/at-once.ts';
import { T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

interface SingleUse {
  put(record: never): Promise<void>;
  find(hash: string, at: number): Promise<unknown>;
  consume(hash: string, at: number): Promise<boolean>;
}

const kinds: readonly (readonly [
  string,
  (table: Table) => SingleUse,
  () => { hash: string; expiresAt: number },
])[] = [
  ['webauthn challenge', webauthnChallenges, someChallenge],
  [
    'registration',
    webauthnChallenges,
    () => someChallenge({ purpose: 'register', userId: 'u', userName: 'n' }),
  ],
  ['approval', approvals, someApproval],
];

describeStore('single use', (store) => {
  describe.each(kinds)('of a %s', (_name, make, some) => {
    const stored = async () => {
      const [kind, record] = [make(store().table('flows')), some()];
      await kind.put(record as never);
      return { kind, record };
    };

    test('comes back as it was stored, until it expires', async () => {
      const { kind, record } = await stored();
      expect(await kind.find(record.hash, T)).toEqual(record);
      expect(await kind.find(record.hash, record.expiresAt - 1)).toEqual(record);
      expect(await kind.find(record.hash, record.expiresAt)).toBeUndefined();
      expect(await kind.consume(record.hash, record.expiresAt)).toBe(false);
    });

    test('N100 of 30 at once exactly one consumes it, and then it is nowhere', async () => {
      const { kind, record } = await stored();
      const wins = await atOnce(30, () => kind.consume(record.hash, T));
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await kind.find(record.hash, T)).toBeUndefined();
      await kind.put(record as never);
      expect(await kind.consume(record.hash, T)).toBe(false);
    });

    test('finds nothing by an unknown or impossible key', async () => {
      const kind = make(store().table('flows'));
      for (const hash of [unique('hash'), '', '\ud800', 'x'.repeat(5000)]) {
        expect(await kind.find(hash, T)).toBeUndefined();
        expect(await kind.consume(hash, T)).toBe(false);
      }
    });
  });
});
