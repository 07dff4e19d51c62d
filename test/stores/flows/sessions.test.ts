import { describe, expect, jest, test } from '@jest/globals';
import { ENDED_SESSION_SECONDS, ENDED_SESSIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { lastUseByMethod } from '../../../shared/dynamo/flows/session-item.ts';
import { sessions } from '../../../shared/dynamo/flows/sessions.ts';
import { sessionPartition } from '../../../shared/dynamo/keys.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someFamily, someSession, someUse, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('sessions in the table `flows`', (store) => {
  const all = () => sessions(store().table('flows'));

  async function started(change: Partial<Session> = {}): Promise<Session> {
    const session = someSession(change);
    await all().start(session);
    return session;
  }
  const joining = (change: Partial<Parameters<ReturnType<typeof all>['join']>[1]> = {}) => ({
    at: T + 10,
    expiresAt: T + 2000,
    methods: [someUse({ method: 'sms', at: T + 10 })],
    family: someFamily(),
    dropFamilies: [],
    ...change,
  });

  test('a stored session is read back unchanged', async () => {
    const session = await started({
      deviceId: 'device',
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
      browserHash: 'browser',
      browserMethods: [someUse()],
      families: [
        someFamily({
          resource: 'https://r/',
          organizationId: 'org',
          claims: '{}',
          idTokenClaims: 'requested',
        }),
        someFamily(),
      ],
    });
    const found = await all().find(session.sessionId, T);
    expect(new Set(found?.families)).toEqual(new Set(session.families));
    expect({ ...found, families: [] }).toEqual({ ...session, families: [] });
  });

  test('an ended session lists its clients until they were notified of the logout', async () => {
    const userId = unique('user');
    const begun = () => started({ userId, sessionId: `${userId}.${unique('session')}`, clientId: 'first' });
    const [ended, erased, expired] = [await begun(), await begun(), await begun()];
    const clients = ['first', 'second', 'third'];
    for (const { sessionId } of [ended, erased])
      await Promise.all(
        clients.map((clientId) => all().join(sessionId, joining({ clientId, family: someFamily() }))),
      );
    expect((await all().review(userId, T)).unnotified).toEqual([]);
    await all().end(ended.sessionId, T + 20);
    const named = async () =>
      new Map(
        (await all().review(userId, T)).unnotified.map((one) => [one.sessionId, one.clientIds.toSorted()]),
      );
    expect(await named()).toEqual(new Map([[ended.sessionId, clients]]));
    // Ends the other two sessions, too. The session `expired` has expired by then, so its clients need not be notified.
    await all().eraseAllOf(userId, expired.expiresAt);
    for (const item of await store().table('flows').query(sessionPartition(userId)))
      expect(item).toMatchObject({ purge_at: expired.expiresAt + 86_400 });
    expect(await named()).toEqual(new Map([ended, erased].map(({ sessionId }) => [sessionId, clients])));
    for (const { sessionId } of [ended, erased]) await all().markClientsNotified(sessionId, T + 30);
    expect(await named()).toEqual(new Map());
    await all().eraseAllOf(userId, T + 40);
    expect(await named()).toEqual(new Map());
  });

  test('if a user has too many ended sessions, the oldest ones are removed', async () => {
    const userId = unique('user');
    const count = ENDED_SESSIONS_MAX + 30;
    const made = await atOnce(count, (n) => started({ userId, sessionId: `${userId}.${n}` }));
    const told = made.slice(1);
    // The clients of the first session are never notified. The second session is not ended and expires later.
    for (const [n, { sessionId }] of made.entries()) if (n !== 1) await all().end(sessionId, T + n);
    for (const { sessionId } of told) await all().markClientsNotified(sessionId, T + count);
    const living = await started({ userId, sessionId: `${userId}.living` });
    const stored = async () => (await store().table('flows').query(sessionPartition(userId))).length;
    await all().review(userId, T + 1);
    expect(await stored()).toBe(count + 1);
    const found = await all().review(userId, T + 20 + ENDED_SESSION_SECONDS);
    expect(found.active.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [made[1]?.sessionId, living.sessionId].toSorted(),
    );
    expect(found.unnotified.map(({ sessionId }) => sessionId)).toEqual([made[0]?.sessionId]);
    // Two sessions are active, and one has clients to notify. Of the others, those that ended from T + 2 to T + 20 are removed.
    expect(await stored()).toBe(count + 1 - 19);
    await all().review(userId, T + count + ENDED_SESSION_SECONDS);
    expect(await stored()).toBe(ENDED_SESSIONS_MAX + 3);
    // By this time, the two sessions that were active have expired, so they count as ended.
    expect((await all().review(userId, living.endsAt)).unnotified).toHaveLength(1);
    expect(await stored()).toBe(ENDED_SESSIONS_MAX + 1);
  });

  test('reading a session with an invalid session ID returns nothing', async () => {
    for (const id of [
      '',
      '.',
      'x',
      'no-dot',
      '\ud800.x',
      `${'x'.repeat(5000)}.y`,
      `user.${'x'.repeat(5000)}`,
    ]) {
      expect(await all().find(id, T)).toBeUndefined();
      expect(await all().end(id, T)).toBe(false);
      expect(await all().join(id, joining())).toBe(false);
    }
    expect(await all().listOf('x'.repeat(5000), T)).toEqual([]);
  });

  test('a session cannot be found after its idle or absolute timeout', async () => {
    const idle = await started({ expiresAt: T + 100 });
    const absolute = await started({ expiresAt: T + 9000, endsAt: T + 100 });
    for (const { sessionId, userId } of [idle, absolute]) {
      expect(await all().find(sessionId, T + 100)).toBeUndefined();
      expect(await all().join(sessionId, joining({ at: T + 100 }))).toBe(false);
      expect(await all().end(sessionId, T + 100)).toBe(false);
      expect(await all().listOf(userId, T + 100)).toEqual([]);
      expect(await all().find(sessionId, T + 99)).toBeDefined();
    }
  });

  test('joining a session adds a login method and a refresh token family', async () => {
    const [old, kept] = [someFamily(), someFamily()];
    const session = await started({ families: [old, kept] });
    const change = joining({ dropFamilies: [old.familyId, unique('unknown'), old.familyId] });
    expect(await all().join(session.sessionId, change)).toBe(true);
    const found = await all().find(session.sessionId, T + 1500);
    expect(found?.methods).toEqual([...session.methods, ...change.methods]);
    expect(new Set(found?.families)).toEqual(new Set([kept, change.family]));
    expect(found?.expiresAt).toBe(T + 2000);
  });

  describe('browser secrets that bind a session to a browser', () => {
    const eotp = someUse();
    const held = () => started({ methods: [eotp], browserHash: 'former' });
    const replacing = (nextHash: string) => {
      const { methods } = joining();
      return joining({ methods, browser: { formerHash: 'former', nextHash, methods: [eotp, ...methods] } });
    };

    test('only one of 20 concurrent callers can replace the browser secret of a session', async () => {
      const { sessionId } = await held();
      const hashes = Array.from({ length: 20 }, (_, n) => `next${n}`);
      const replaced = await Promise.all(hashes.map((hash) => all().join(sessionId, replacing(hash))));
      const [winner, ...others] = hashes.filter((_, n) => replaced[n]);
      expect(others).toEqual([]);
      expect(await all().find(sessionId, T)).toMatchObject({ browserHash: winner });
      expect(await all().join(sessionId, replacing('later'))).toBe(false);
    });

    test('replacing the browser secret of a session adds no attribute to recognise a retried write', async () => {
      const session = await held();
      const { family: _, ...alone } = replacing('next');
      expect(await all().join(session.sessionId, alone)).toBe(true);
      const [item] = await store().table('flows').query(`session#${session.userId}`);
      expect(item).toMatchObject({ browser_hash: 'next' });
      expect(item).not.toHaveProperty('written_by');
    });

    test('a login method that a backend adds to a session is not valid in the browser of the session', async () => {
      const { sessionId } = await held();
      const [sms, otp, social] = (['sms', 'otp', 'social'] as const).map((method) =>
        someUse({ method, at: T + 10 }),
      );
      for (const use of [sms, otp])
        await all().join(sessionId, joining({ methods: [use ?? eotp], initialBrowserMethods: [eotp] }));
      expect((await all().find(sessionId, T))?.browserMethods).toEqual([eotp]);
      const methods = [social ?? eotp];
      const browser = { formerHash: 'former', nextHash: 'next', methods: [eotp, ...methods] };
      expect(await all().join(sessionId, joining({ methods, browser }))).toBe(true);
      const found = await all().find(sessionId, T);
      expect(found?.browserMethods).toEqual([eotp, social]);
      expect(found?.methods).toHaveLength(4);
    });

    test('only the current browser secret can detach a browser from its session', async () => {
      const session = await held();
      await all().releaseBrowser(session.sessionId, 'another');
      expect((await all().find(session.sessionId, T))?.browserHash).toBe('former');
      await all().releaseBrowser(session.sessionId, 'former');
      const { browserHash: _, ...released } = session;
      expect(await all().find(session.sessionId, T)).toEqual(released);
      expect(await all().join(session.sessionId, replacing('next'))).toBe(false);
    });
  });

  test('a login can join a session without adding a refresh token family', async () => {
    const session = await started();
    const { family, ...withoutFamily } = joining();
    expect(await all().join(session.sessionId, withoutFamily)).toBe(true);
    const withFamily = joining({ methods: [], expiresAt: T + 3000 });
    expect(await all().join(session.sessionId, withFamily)).toBe(true);
    const found = await all().find(session.sessionId, T + 10);
    expect(found?.methods).toEqual([...session.methods, ...withoutFamily.methods]);
    expect(new Set(found?.families)).toEqual(new Set([...session.families, withFamily.family]));
    expect(found?.expiresAt).toBe(T + 3000);
  });

  test('a session stores only the latest use of each login method', async () => {
    const session = await started({ methods: [someUse()] });
    const { family: _, ...joinedBy } = joining();
    for (let at = T + 1; at <= T + 30; at += 1) {
      const methods = [someUse({ method: 'sms', at })];
      await all().join(session.sessionId, { ...joinedBy, methods });
    }
    const again = someUse({ method: 'eotp', at: T + 31 });
    await all().join(session.sessionId, { ...joinedBy, methods: [{ ...again, at: T + 5 }, again] });
    expect((await all().find(session.sessionId, T + 40))?.methods).toEqual([
      someUse({ method: 'sms', at: T + 30 }),
      again,
    ]);
  });

  test('the login methods of a session are ordered by time, also within one second', async () => {
    const [first, second, third] = [
      someUse({ method: 'sms', at: T - 1 }),
      someUse({ method: 'webauthn' }),
      someUse({ method: 'eotp' }),
    ];
    const { sessionId } = await started({ methods: [second, third, first] });
    expect((await all().find(sessionId, T))?.methods).toEqual([first, second, third]);
    const now = jest.spyOn(Date, 'now').mockReturnValue(T * 1000 + 7);
    const stored = lastUseByMethod([first, second, third]);
    now.mockRestore();
    expect(stored).toMatchObject({ sms: { ms: 1007 }, webauthn: { ms: 8 }, eotp: { ms: 9 } });
  });

  test('a session with a given ID can be started only once', async () => {
    const session = someSession();
    const begun = await Promise.all(Array.from({ length: 20 }, () => all().start(session)));
    expect(begun.filter(Boolean)).toHaveLength(1);
    await all().end(session.sessionId, T + 1);
    expect(await all().start(session)).toBe(false);
  });

  test('20 concurrent logins can all join the same session', async () => {
    const session = await started();
    const joined = await Promise.all(
      Array.from({ length: 20 }, () => all().join(session.sessionId, joining())),
    );
    expect(joined.every(Boolean)).toBe(true);
    const found = await all().find(session.sessionId, T + 10);
    expect(found?.families).toHaveLength(21);
    expect(found?.methods).toEqual([someUse(), someUse({ method: 'sms', at: T + 10 })]);
  });

  test('only one of 20 concurrent callers can end the same session', async () => {
    const session = await started({ userAgent: 'agent', ipAddress: '192.0.2.1', deviceId: 'device' });
    const ended = await Promise.all(Array.from({ length: 20 }, () => all().end(session.sessionId, T + 1)));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await all().find(session.sessionId, T + 1)).toBeUndefined();
    expect(await all().join(session.sessionId, joining())).toBe(false);
    expect(await all().listOf(session.userId, T + 1)).toEqual([]);
  });

  test('a session that is joined and ended concurrently stays ended', async () => {
    const session = await started();
    await Promise.all([
      ...Array.from({ length: 10 }, () => all().join(session.sessionId, joining())),
      all().end(session.sessionId, T + 1),
    ]);
    expect(await all().find(session.sessionId, T + 10)).toBeUndefined();
  });

  test('an ended session contains no device data', async () => {
    const session = await started({
      userAgent: 'agent',
      ipAddress: '192.0.2.1',
      deviceId: 'device',
      browserHash: 'browser',
      browserMethods: [someUse()],
    });
    const raw = async () => (await store().table('flows').query(`session#${session.userId}`))[0];
    expect(await raw()).toMatchObject({ purge_at: session.endsAt + 86_400 });
    expect(await raw()).not.toHaveProperty('written_by');
    await all().end(session.sessionId, T + 1);
    expect(await raw()).toMatchObject({ purge_at: T + 1 + 86_400 });
    for (const attribute of ['device_id', 'user_agent', 'ip_address'])
      expect(await raw()).not.toHaveProperty(attribute);
    await all().markClientsNotified(session.sessionId, T + 2);
    for (const attribute of ['families', 'browser_hash', 'browser_methods'])
      expect(await raw()).not.toHaveProperty(attribute);
  });

  test('ending all sessions of one user does not end the sessions of other users', async () => {
    const userId = unique('user');
    const mine = await Promise.all(Array.from({ length: 5 }, () => started({ userId })));
    const expired = await started({ userId, expiresAt: T + 5 });
    const other = await started({ userId: `${userId}2` });
    const listed = await all().listOf(userId, T + 6);
    expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(
      new Set(mine.map(({ sessionId }) => sessionId)),
    );
    expect(listed.some(({ sessionId }) => sessionId === expired.sessionId)).toBe(false);

    const kept = mine[0]?.sessionId ?? '';
    const counts = await Promise.all([1, 2].map(() => all().endAllOf(userId, T + 6, kept)));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(4);
    expect(await all().listOf(userId, T + 6)).toMatchObject([{ sessionId: kept }]);
    expect(await all().endAllOf(userId, T + 6)).toBe(1);
    expect(await all().listOf(userId, T + 6)).toEqual([]);
    expect(await all().find(other.sessionId, T + 6)).toBeDefined();
  });
});
