import { afterEach, describe, expect, test } from '@jest/globals';
import { jwtVerify, SignJWT } from 'jose';
import {
  advanceClock,
  clockOffset,
  installClock,
  restoreClock,
} from '../../lib/local/emulators/basis/clock.ts';

const HOUR_MS = 3_600_000;
const RealDate = Date;

afterEach(restoreClock);

/** Returns the number of whole hours by which a time is ahead of the real clock. */
const hoursAhead = (time: number) => Math.round((time - RealDate.now()) / HOUR_MS);

describe('local server with a shifted clock', () => {
  test('every JavaScript function that reads the current time returns the shifted time', () => {
    installClock();
    advanceClock(2 * HOUR_MS);
    advanceClock(3 * HOUR_MS);
    expect(clockOffset()).toBe(5 * HOUR_MS);
    expect(hoursAhead(Date.now())).toBe(5);
    expect(hoursAhead(Date.parse(new Date().toISOString()))).toBe(5);
    expect(hoursAhead(Date.parse(Date()))).toBe(5);
    expect(hoursAhead(new (class extends Date {})().getTime())).toBe(5);
    const { now } = Date;
    expect(hoursAhead(now())).toBe(5);
  });

  test('the shifted clock does not change a Date that is created from a given time', () => {
    installClock();
    advanceClock(HOUR_MS);
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(new Date(2026, 10, 21).getFullYear()).toBe(2026);
    expect(new Date('2026-11-21T00:00:00Z').getTime()).toBe(Date.UTC(2026, 10, 21));
    expect(Date.parse('1970-01-01T00:00:01Z')).toBe(1000);
    expect(new Date(undefined as never).getTime()).toBeNaN();
  });

  test('a Date created with the shifted clock is an instance of the original Date class', () => {
    installClock();
    expect(new Date()).toBeInstanceOf(Date);
    expect(new RealDate()).toBeInstanceOf(Date);
    expect(new Date()).toBeInstanceOf(RealDate);
    expect(Date.length).toBe(7);
    expect(Date.prototype.constructor).toBe(RealDate.prototype.constructor);
  });

  test('the shifted clock cannot be set back', () => {
    installClock();
    advanceClock(HOUR_MS);
    advanceClock(-HOUR_MS);
    expect(clockOffset()).toBe(HOUR_MS);
  });

  test('restoring the clock brings back the original Date object, even if the shifted clock was installed several times', () => {
    installClock();
    installClock();
    advanceClock(HOUR_MS);
    expect(hoursAhead(Date.now())).toBe(1);
    restoreClock();
    expect(Date).toBe(RealDate);
    expect(clockOffset()).toBe(0);
  });

  test('the library jose reads the time of the shifted clock', async () => {
    installClock();
    const key = new Uint8Array(32);
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(key);
    await jwtVerify(token, key);
    advanceClock(HOUR_MS + 1000);
    await expect(jwtVerify(token, key)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  });

  test('advancing the shifted clock does not make timers fire earlier', async () => {
    installClock();
    let fired = false;
    const timer = setTimeout(() => {
      fired = true;
    }, 60_000);
    advanceClock(HOUR_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fired).toBe(false);
    clearTimeout(timer);
  });
});
