import { describe, expect, test } from '@jest/globals';
import { ENDED_FAMILIES_MAX } from '../../../shared/domain/basis/limits.ts';
import { sessions } from '../../../shared/dynamo/flows/sessions.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import type { RefreshFamily, Session } from '../../../shared/ports/flows.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someFamily, someSession, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

type Rotation = Parameters<ReturnType<typeof sessions>['rotate']>[2];

describeStore('refresh token families', (store) => {
  const all = () => sessions(store().table('flows'));

  /** Starts a session with one refresh token family. Returns the session and the family. */
  async function started(change: Partial<Session> = {}, ofFamily: Partial<RefreshFamily> = {}) {
    const family = someFamily({ currentHash: unique('presented'), ...ofFamily });
    const session = someSession({ families: [family], ...change });
    await all().start(session);
    return { session, family, sessionId: session.sessionId, familyId: family.familyId };
  }
  const rotation = (presentedHash: string, change: Partial<Rotation> = {}): Rotation => ({
    at: T + 10,
    nextHash: unique('next'),
    previous: {
      hash: presentedHash,
      rotatedAt: change.at ?? T + 10,
      expiresAt: T + 3600,
      sealedSuccessor: unique('sealed'),
      jti: 'jti',
    },
    familyExpiresAt: T + 4000,
    sessionExpiresAt: T + 2000,
    ...change,
  });
  const renewal = (presentedHash: string) => ({
    at: T + 10,
    presentedHash,
    familyExpiresAt: T + 4000,
    sessionExpiresAt: T + 2000,
  });
  const findFamily = async (sessionId: string, familyId: string, at = T + 10) =>
    (await all().find(sessionId, at))?.families.find((family) => family.familyId === familyId);
  const raw = async ({ userId }: Session) =>
    (await store().table('flows').query(`session#${userId}`))[0] as {
      readonly families: Readonly<Record<string, unknown>>;
    };

  test('a stored refresh token family is read back unchanged', async () => {
    const { sessionId, family } = await started(
      {},
      {
        resource: 'https://r/',
        organizationId: 'org',
        claims: '{}',
        nonce: 'nonce',
        dpopJkt: 'jkt',
        previous: {
          ...{ hash: 'h', rotatedAt: T, expiresAt: T, sealedSuccessor: 's', jti: 'jti' },
          ...{ scope: 'openid', dpopJkt: 'other' },
        },
      },
    );
    expect((await all().find(sessionId, T))?.families).toEqual([family]);
  });

  /** Returns a session store that runs the action `between` directly after its first write, to simulate a concurrent call. */
  function interrupted(between: () => Promise<boolean>) {
    const table = store().table('flows');
    const happened: boolean[] = [];
    const change: Table['change'] = async (key, given) => {
      const isChanged = await table.change(key, given);
      if (happened.length === 0) happened.push(await between());
      return isChanged;
    };
    return { happened, sessions: sessions({ ...table, change }) };
  }

  describe('rotating refresh tokens', () => {
    test('only one of 50 concurrent callers can rotate the same refresh token', async () => {
      const { sessionId, familyId, family } = await started();
      const changes = Array.from({ length: 50 }, () => rotation(family.currentHash));
      const wins = await atOnce(50, (n) =>
        all().rotate(sessionId, familyId, changes[n] ?? rotation(family.currentHash)),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      const won = changes[wins.indexOf(true)];
      expect(await findFamily(sessionId, familyId)).toEqual({
        ...family,
        currentHash: won?.nextHash,
        previous: won?.previous,
        expiresAt: won?.familyExpiresAt,
      });
    });

    test('rotating a refresh token extends the idle timeout of the session', async () => {
      const [family, other] = [someFamily({ currentHash: 'one' }), someFamily({ currentHash: 'one' })];
      const session = someSession({ families: [family, other] });
      await all().start(session);
      expect(await all().rotate(session.sessionId, family.familyId, rotation('one'))).toBe(true);
      const found = await all().find(session.sessionId, T + 1500);
      expect(found?.expiresAt).toBe(T + 2000);
      expect(found?.methods).toEqual(session.methods);
      expect(await findFamily(session.sessionId, other.familyId)).toEqual(other);
    });

    test('an unknown refresh token or a refresh token that was already rotated cannot be rotated', async () => {
      const { sessionId, familyId, family } = await started();
      const [one, two] = [rotation(family.currentHash), rotation('')];
      expect(await all().rotate(sessionId, familyId, one)).toBe(true);
      expect(await all().rotate(sessionId, familyId, rotation(family.currentHash))).toBe(false);
      expect(await all().rotate(sessionId, familyId, rotation(unique('stranger')))).toBe(false);
      const next = { ...two, previous: { ...two.previous, hash: one.nextHash } };
      expect(await all().rotate(sessionId, unique('family'), next)).toBe(false);
      expect(await all().rotate(sessionId, familyId, next)).toBe(true);
      expect(await findFamily(sessionId, familyId)).toMatchObject({
        currentHash: two.nextHash,
        previous: next.previous,
      });
    });

    test('concurrent callers can either use or replace the unused successor of a refresh token, but not both', async () => {
      const { sessionId, familyId, family } = await started();
      const first = rotation(family.currentHash);
      const unusedHash = first.nextHash;
      await all().rotate(sessionId, familyId, first);
      const changes = Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? rotation(family.currentHash, { unusedHash }) : rotation(unusedHash),
      );
      const wins = await atOnce(20, (n) => all().rotate(sessionId, familyId, changes[n] ?? first));
      expect(wins.filter(Boolean)).toHaveLength(1);
      const won = changes[wins.indexOf(true)];
      expect(await findFamily(sessionId, familyId)).toMatchObject({ currentHash: won?.nextHash });
    });

    test('the successor of a refresh token cannot be replaced after the successor was used without rotation', async () => {
      const { sessionId, familyId, family } = await started();
      const first = rotation(family.currentHash);
      await all().rotate(sessionId, familyId, first);
      expect(await all().renew(sessionId, familyId, renewal(first.nextHash))).toBe(true);
      const again = rotation(family.currentHash, { unusedHash: first.nextHash });
      expect(await all().rotate(sessionId, familyId, again)).toBe(false);
    });

    test('20 concurrent callers can use a refresh token without rotation', async () => {
      const { sessionId, familyId, family } = await started();
      const renew = () => all().renew(sessionId, familyId, renewal(family.currentHash));
      expect(await atOnce(20, renew)).toEqual(new Array(20).fill(true));
      expect(await findFamily(sessionId, familyId)).toEqual({ ...family, expiresAt: T + 4000 });
      const next = rotation(family.currentHash);
      await Promise.all([all().rotate(sessionId, familyId, next), ...Array.from({ length: 5 }, renew)]);
      expect(await findFamily(sessionId, familyId)).toMatchObject({ currentHash: next.nextHash });
      expect(await renew()).toBe(false);
      const keepNext = () => all().renew(sessionId, familyId, renewal(next.nextHash));
      await Promise.all([all().endFamily(sessionId, familyId, T + 10), keepNext(), keepNext()]);
      expect(await findFamily(sessionId, familyId)).toBeUndefined();
      expect(await keepNext()).toBe(false);
    });

    test.each([
      ['the idle timeout of its family', {}, { expiresAt: T + 100 }],
      ['the absolute timeout of its family', {}, { endsAt: T + 100 }],
      ['the idle timeout of its session', { expiresAt: T + 100 }, {}],
      ['the absolute timeout of its session', { endsAt: T + 100 }, {}],
    ])('a refresh token cannot be rotated after %s', async (_name, change, ofFamily) => {
      const { sessionId, familyId, family } = await started(change, ofFamily);
      const at = (second: number) => rotation(family.currentHash, { at: second });
      expect(await all().rotate(sessionId, familyId, at(T + 100))).toBe(false);
      expect(await findFamily(sessionId, familyId, T + 99)).toEqual(family);
      expect(await all().rotate(sessionId, familyId, at(T + 99))).toBe(true);
    });

    test('a refresh token cannot be rotated after its session has ended', async () => {
      const over = await started();
      await all().end(over.sessionId, T + 1);
      const left = await started();
      await all().endFamily(left.sessionId, left.familyId, T + 1);
      const never = someSession();
      for (const { sessionId, familyId, family } of [
        over,
        left,
        { sessionId: never.sessionId, familyId: 'family', family: someFamily() },
        { sessionId: 'no-dot', familyId: 'family', family: someFamily() },
      ])
        expect(await all().rotate(sessionId, familyId, rotation(family.currentHash))).toBe(false);
      expect(await raw(never)).toBeUndefined();
    });

    test('if a refresh token family is rotated and revoked concurrently, none of its tokens stays valid', async () => {
      const ends = [
        ({ sessionId }: Ids) => all().end(sessionId, T + 10),
        ({ sessionId, familyId }: Ids) => all().endFamily(sessionId, familyId, T + 10),
      ];
      for (const end of ends) {
        const { sessionId, familyId, family } = await started();
        const change = rotation(family.currentHash);
        const [ended] = await Promise.all([
          end({ sessionId, familyId }),
          ...Array.from({ length: 5 }, () => all().rotate(sessionId, familyId, change)),
        ]);
        expect(ended).toBe(true);
        for (const hash of [family.currentHash, change.nextHash])
          expect(await all().rotate(sessionId, familyId, rotation(hash))).toBe(false);
      }
    });
  });

  describe('revoking refresh token families', () => {
    test('only one of 20 concurrent callers can end the same refresh token family', async () => {
      const [family, other] = [someFamily(), someFamily()];
      const { sessionId } = await started({ families: [family, other] });
      const ended = await atOnce(20, () => all().endFamily(sessionId, family.familyId, T + 1));
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect((await all().find(sessionId, T + 1))?.families).toEqual([other]);
      expect(await all().listOf(sessionId.slice(0, sessionId.lastIndexOf('.')), T + 1)).toMatchObject([
        { families: [other] },
      ]);
    });

    test('an ended refresh token family contains neither token hashes nor login data', async () => {
      const { session, sessionId, familyId } = await started({}, { nonce: 'nonce', claims: '{}' });
      await all().endFamily(sessionId, familyId, T + 1);
      expect((await raw(session)).families[familyId]).toEqual({
        ended_at: T + 1,
        ended_by: expect.any(String),
      });
    });

    test('ending an expired or unknown refresh token family has no effect', async () => {
      const expired = await started({}, { expiresAt: T + 5 });
      const over = await started();
      await all().end(over.sessionId, T + 1);
      const never = someSession();
      expect(await all().endFamily(expired.sessionId, expired.familyId, T + 5)).toBe(false);
      expect(await all().endFamily(over.sessionId, over.familyId, T + 5)).toBe(false);
      expect(await all().endFamily(never.sessionId, 'family', T + 5)).toBe(false);
      expect(await all().endFamily('no-dot', 'family', T + 5)).toBe(false);
      expect(await raw(never)).toBeUndefined();
    });

    const joining = (family: RefreshFamily) => ({
      at: T + 1,
      expiresAt: T + 2000,
      methods: [],
      family,
      dropFamilies: [],
    });

    test('a refresh token family that was ended before its start cannot be started', async () => {
      const { session, sessionId } = await started();
      const family = someFamily();
      expect(await all().endFamily(sessionId, family.familyId, T + 1)).toBe(false);
      expect(await all().join(sessionId, joining(family))).toBe(false);
      expect((await all().find(sessionId, T + 1))?.families).toEqual(session.families);
      expect(await all().join(sessionId, joining(someFamily()))).toBe(true);
    });

    test('a refresh token family that is started and revoked concurrently stays revoked', async () => {
      const { session, sessionId } = await started();
      const families = Array.from({ length: 20 }, () => someFamily());
      await Promise.all(
        families.flatMap((family, n) => {
          const calls = [
            () => all().join(sessionId, joining(family)),
            () => all().endFamily(sessionId, family.familyId, T + 1),
          ];
          return (n % 2 === 0 ? calls : calls.reverse()).map((call) => call());
        }),
      );
      expect((await all().find(sessionId, T + 1))?.families).toEqual(session.families);
    });

    test('a refresh token family is revoked even if the revocation arrives during its start', async () => {
      const { session, sessionId } = await started();
      const family = someFamily();
      const { happened, sessions: ending } = interrupted(() => all().join(sessionId, joining(family)));
      expect(await ending.endFamily(sessionId, family.familyId, T + 1)).toBe(true);
      expect(happened).toEqual([true]);
      expect((await all().find(sessionId, T + 1))?.families).toEqual(session.families);
    });

    test('a session keeps only the most recent records of ended refresh token families', async () => {
      const { session, sessionId, family } = await started();
      for (let n = 0; n < ENDED_FAMILIES_MAX + 5; n += 1)
        await all().endFamily(sessionId, `ended${n}`, T + n);
      const kept = Object.keys((await raw(session)).families);
      expect(kept).toHaveLength(ENDED_FAMILIES_MAX + 1);
      expect(kept).toEqual(
        expect.arrayContaining([family.familyId, 'ended5', `ended${ENDED_FAMILIES_MAX + 4}`]),
      );
      expect(kept).not.toContain('ended4');
    });

    test('the record of an ended refresh token family is removed after one hour', async () => {
      const { session, sessionId, family } = await started(
        { expiresAt: T + 9000, endsAt: T + 9000 },
        { expiresAt: T + 9000, endsAt: T + 9000 },
      );
      const ended = ['early', 'middle', 'late'].map((name) => unique(name));
      for (const [n, at] of [T, T + 1, T + 3600].entries())
        await all().endFamily(sessionId, ended[n] ?? '', at);
      const kept = new Set(Object.keys((await raw(session)).families));
      expect(kept).toEqual(new Set([family.familyId, ended[1], ended[2]]));
      expect((await all().find(sessionId, T + 3600))?.families).toEqual([family]);
    });
  });

  describe('sessions that another call blocks from starting', () => {
    test('blocking the start of a session that is already active ends the session', async () => {
      const { session, sessionId, familyId, family } = await started();
      await all().forbid(sessionId, T + 1);
      expect(await all().find(sessionId, T + 1)).toBeUndefined();
      expect(await all().rotate(sessionId, familyId, rotation(family.currentHash))).toBe(false);
      expect(await raw(session)).toMatchObject({ ended_at: T + 1 });
    });

    test('a session cannot be started after its start was blocked', async () => {
      const session = someSession();
      await all().forbid(session.sessionId, T + 1);
      expect(await all().start(session)).toBe(false);
      expect(await all().find(session.sessionId, T + 1)).toBeUndefined();
      expect(await all().listOf(session.userId, T + 1)).toEqual([]);
      expect(await all().endAllOf(session.userId, T + 1)).toBe(0);
      expect(await raw(session)).toMatchObject({ ended_at: T + 1, purge_at: T + 1 + 86_400 });
    });

    test('a session that is blocked during its start is ended', async () => {
      const session = someSession();
      const { happened, sessions: forbidding } = interrupted(() => all().start(session));
      await forbidding.forbid(session.sessionId, T + 1);
      expect(happened).toEqual([true]);
      expect(await all().find(session.sessionId, T + 1)).toBeUndefined();
    });

    test('a session that is started and blocked concurrently stays ended', async () => {
      const begun = Array.from({ length: 20 }, () => someSession());
      await Promise.all(
        begun.flatMap((session, n) => {
          const calls = [() => all().start(session), () => all().forbid(session.sessionId, T + 1)];
          return (n % 2 === 0 ? calls : calls.reverse()).map((call) => call());
        }),
      );
      for (const { sessionId } of begun) expect(await all().find(sessionId, T + 1)).toBeUndefined();
    });
  });
});

interface Ids {
  readonly sessionId: string;
  readonly familyId: string;
}
