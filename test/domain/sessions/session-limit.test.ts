import { expect, test } from '@jest/globals';
import { SESSIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { surplusSessions } from '../../../shared/domain/sessions/session-limit.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someSession, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

test('the oldest of several sessions that were last used at the same time is ended first', () => {
  const sessions = Array.from({ length: SESSIONS_MAX + 1 }, (_, index) =>
    someSession({ startedAt: T - ((index + 50) % (SESSIONS_MAX + 1)), expiresAt: T + 9, idleSeconds: 0 }),
  );
  expect(surplusSessions(sessions).map(({ startedAt }) => startedAt)).toEqual([T - SESSIONS_MAX]);
});

describeStore('session limit of a user', (store) => {
  test('a user with too many sessions loses the sessions that were used least recently', async () => {
    const ports = storedPorts(store());
    const userId = unique('user');
    const surplus = 5;
    // The sessions that started first were used last, so the test distinguishes start time and last use.
    const made = Array.from({ length: SESSIONS_MAX + surplus }, (_, n) =>
      someSession({
        sessionId: `${userId}.${n}`,
        userId,
        startedAt: T + n,
        expiresAt: T + 2000 - n,
        endsAt: T + 5000,
        idleSeconds: 1000,
      }),
    );
    const over = someSession({ sessionId: `${userId}.over`, userId, startedAt: T - 99, expiresAt: T });
    const other = someSession();
    await Promise.all([...made, over, other].map((session) => ports.sessions.start(session)));
    const surplusNow = async () => surplusSessions((await ports.sessions.review(userId, T + 200)).active);
    const found = (await surplusNow()).map(({ sessionId }) => sessionId);
    expect(found.toSorted()).toEqual(
      made
        .slice(-surplus)
        .map(({ sessionId }) => sessionId)
        .toSorted(),
    );
    await Promise.all(found.map((sessionId) => ports.sessions.end(sessionId, T + 200)));
    expect(await ports.sessions.listOf(userId, T + 200)).toHaveLength(SESSIONS_MAX);
    expect(await surplusNow()).toEqual([]);
    expect(await ports.sessions.find(other.sessionId, T + 200)).toBeDefined();
  });
});
