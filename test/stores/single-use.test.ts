import { describe, expect, test } from '@jest/globals';
import { approvals } from '../../shared/dynamo/flows/approvals.ts';
import { authorizationCodes } from '../../shared/dynamo/flows/authorization-codes.ts';
import { magicLinks } from '../../shared/dynamo/flows/magic-links.ts';
import { upstreamLogins } from '../../shared/dynamo/flows/upstream-logins.ts';
import { webauthnChallenges } from '../../shared/dynamo/flows/webauthn-challenges.ts';
import type { Table } from '../../shared/dynamo/table.ts';
import { someAuthorizationCode, someUpstreamLogin } from '../support/fixtures/flow-records.ts';
import { someApproval, someChallenge } from '../support/fixtures/signing-records.ts';
import { atOnce } from '../support/server/at-once.ts';
import { someLink, T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

interface SingleUse {
  put(record: never): Promise<void>;
  find(hash: string, at: number): Promise<unknown>;
  consume(hash: string, at: number): Promise<boolean>;
}

type Kind = readonly [
  ...[name: string, make: (table: Table) => SingleUse, some: () => { hash: string; expiresAt: number }],
  /** True if `find` still returns a consumed or expired record, for example to detect a replay. */
  stays: boolean,
];
const someRegistration = () => someChallenge({ purpose: 'register', userId: 'u', userName: 'n' });
const kinds: readonly Kind[] = [
  ['webauthn challenge', webauthnChallenges, someChallenge, false],
  ['registration', webauthnChallenges, someRegistration, false],
  ['approval', approvals, someApproval, false],
  ['magic link', magicLinks, someLink, true],
  ['authorization code', authorizationCodes, someAuthorizationCode, true],
  ['login at an identity provider', upstreamLogins, someUpstreamLogin, true],
];

describeStore('single use of stored records', (store) => {
  describe.each(kinds)('records of the type %s, which can be used only once', (_name, make, some, stays) => {
    const stored = async () => {
      const [kind, record] = [make(store().table('flows')), some()];
      await kind.put(record as never);
      return { kind, record };
    };

    test('an expired single-use record cannot be consumed', async () => {
      const { kind, record } = await stored();
      expect(await kind.find(record.hash, T)).toEqual(record);
      expect(await kind.find(record.hash, record.expiresAt - 1)).toEqual(record);
      expect(await kind.find(record.hash, record.expiresAt)).toEqual(stays ? record : undefined);
      expect(await kind.consume(record.hash, record.expiresAt)).toBe(false);
      expect(await kind.consume(record.hash, record.expiresAt - 1)).toBe(true);
    });

    test('N100 only one of 30 concurrent requests can consume a single-use record', async () => {
      const { kind, record } = await stored();
      const wins = await atOnce(30, () => kind.consume(record.hash, T));
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await kind.find(record.hash, T)).toEqual(stays ? { ...record, consumedAt: T } : undefined);
      await kind.put(record as never);
      expect(await kind.consume(record.hash, T)).toBe(false);
    });

    test('reading a single-use record with an unknown or invalid key returns nothing', async () => {
      const kind = make(store().table('flows'));
      for (const hash of [unique('hash'), '', '\ud800', 'x'.repeat(5000)]) {
        expect(await kind.find(hash, T)).toBeUndefined();
        expect(await kind.consume(hash, T)).toBe(false);
      }
    });
  });
});
