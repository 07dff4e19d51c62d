import { describe, expect, test } from '@jest/globals';
import { applyApplicationFields } from '../../../shared/domain/management/application-record.ts';
import {
  computeSessionTimes,
  idleEndAfter,
  meetsSessionSettings,
  type SessionSettings,
  sessionLifetimes,
} from '../../../shared/domain/sessions/session-lifetimes.ts';
import { someApplication, someSession, T } from '../../support/server/records.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

test.each<readonly [SessionSettings, number, number]>([
  [{}, 14 * DAY, 90 * DAY],
  [{ sessionPreset: 'aal1' }, 14 * DAY, 30 * DAY],
  [{ sessionPreset: 'aal2' }, HOUR, DAY],
  [{ sessionPreset: 'aal2', sessionIdleSeconds: 900 }, 900, DAY],
  [{ sessionPreset: 'aal1', sessionAbsoluteSeconds: DAY }, DAY, DAY],
  [{ sessionIdleSeconds: 60 }, 60, 90 * DAY],
  [{ sessionAbsoluteSeconds: HOUR }, HOUR, HOUR],
])(
  'a session with the settings %j has an idle timeout of %i s and an absolute timeout of %i s',
  (settings, idleSeconds, absoluteSeconds) => {
    expect(sessionLifetimes(settings)).toEqual({ idleSeconds, absoluteSeconds });
  },
);

describe('lifetimes and timeouts of sessions', () => {
  const session = someSession(computeSessionTimes(T, { idleSeconds: 600, absoluteSeconds: 1000 }));

  test('each use of a session extends its idle timeout, up to its absolute timeout', () => {
    expect(session).toMatchObject({ startedAt: T, expiresAt: T + 600, endsAt: T + 1000 });
    expect(idleEndAfter(session, T + 300)).toBe(T + 900);
    expect(idleEndAfter(session, T + 500)).toBe(T + 1000);
    expect(idleEndAfter(someSession({ endsAt: T + 30 * DAY }), T)).toBe(T + 14 * DAY);
  });

  test.each<readonly [SessionSettings, number]>([
    [{ sessionIdleSeconds: 600, sessionAbsoluteSeconds: 1000 }, 600],
    [{ sessionIdleSeconds: 60 }, 60],
    [{ sessionAbsoluteSeconds: 90 }, 90],
  ])(
    'an application with the settings %j accepts a session for %i seconds after the last use',
    (settings, seconds) => {
      expect(meetsSessionSettings(session, settings, T + seconds - 1)).toBe(true);
      expect(meetsSessionSettings(session, settings, T + seconds)).toBe(false);
    },
  );

  test('an application with an absolute timeout of 90 seconds rejects a session after this time, however it was used', () => {
    const used = { ...session, expiresAt: idleEndAfter(session, T + 80) };
    const isAccepted = (at: number) => meetsSessionSettings(used, { sessionAbsoluteSeconds: 90 }, at);
    expect([isAccepted(T + 89), isAccepted(T + 90)]).toEqual([true, false]);
  });
});

test.each([
  [{ session_preset: 'aal2', session_idle_seconds: 3601 }, /^session_idle_seconds: must be at most 3600/],
  [
    { session_preset: 'aal1', session_absolute_seconds: 30 * DAY + 1 },
    /^session_absolute_seconds: must be at most 2592000/,
  ],
  [
    { session_absolute_seconds: 600, session_idle_seconds: 601 },
    /^session_idle_seconds: must be at most 600/,
  ],
] as const)('invalid session settings are rejected: %j', (fields, complaint) => {
  expect(() => applyApplicationFields(someApplication(), fields, T)).toThrow(complaint);
});
