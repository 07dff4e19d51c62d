import { describe, expect, test } from '@jest/globals';
import { windowRecords, windows } from '../../../shared/dynamo/flows/windows.ts';
import { windowKey } from '../../../shared/dynamo/keys.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const MINUTE = 60;
const DAY = 86_400;
/** Time in epoch seconds at which both a minute and a day begin. */
const START = T - (T % DAY);

describeStore('rate limit windows', (store) => {
  const count = (key: string, minute: number, day: number, at: number) =>
    windows(store().table('flows')).count(
      key,
      [
        { seconds: MINUTE, max: minute },
        { seconds: DAY, max: day },
      ],
      at,
    );

  test('a rate limit window admits no more of 40 concurrent events than its limit allows', async () => {
    const key = unique('key');
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => count(key, 5, 30, START)));
    expect(outcomes.filter(({ admitted }) => admitted)).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome.admitted && outcome.exhausted)).toHaveLength(1);
  });

  test('an event above the rate limit can be retried when the full window has ended', async () => {
    const key = unique('key');
    await count(key, 1, 2, START + 10);
    expect(await count(key, 1, 2, START + 20)).toEqual({ admitted: false, retryAfterSeconds: 40 });
    expect(await count(key, 1, 2, START + 60)).toEqual({ admitted: true, exhausted: true, fill: 1 });
    expect(await count(key, 1, 2, START + 120)).toEqual({ admitted: false, retryAfterSeconds: DAY - 120 });
    expect(await count(key, 1, 2, START + DAY)).toEqual({ admitted: true, exhausted: true, fill: 1 });
  });

  test('an event rejected by one rate limit window is not counted in other windows', async () => {
    const key = unique('key');
    await count(key, 1, 3, START);
    await count(key, 1, 3, START);
    await count(key, 1, 3, START);
    expect(await count(key, 1, 3, START + 60)).toMatchObject({ admitted: true, exhausted: true });
    expect(await count(key, 1, 3, START + 120)).toMatchObject({ admitted: true });
    expect(await count(key, 1, 3, START + 180)).toMatchObject({ admitted: false });
  });

  test('rate limit windows of one key do not affect windows of other keys', async () => {
    const key = unique('key');
    expect(await count(`${key}#a`, 1, 1, START)).toMatchObject({ admitted: true });
    expect(await count(`${key}#b`, 1, 1, START)).toMatchObject({ admitted: true });
    expect(await count(key, 1, 1, START)).toMatchObject({ admitted: true });
  });

  test('a rate limit window with the limit 0 admits no event', async () => {
    expect(await count(unique('key'), 0, 10, START + 1)).toEqual({ admitted: false, retryAfterSeconds: 59 });
  });

  test('a lowered rate limit applies to the current window', async () => {
    const key = unique('key');
    for (let n = 0; n < 4; n += 1) await count(key, 5, 30, START);
    expect(await count(key, 2, 30, START)).toMatchObject({ admitted: false });
  });

  test('the length of a rate limit window must divide the length of the longest window', async () => {
    const odd = windows(store().table('flows')).count(
      unique('key'),
      [
        { seconds: 7, max: 1 },
        { seconds: 60, max: 1 },
      ],
      START,
    );
    await expect(odd).rejects.toThrow('divide');
  });

  test('counting an event returns the fill level of the fullest rate limit window', async () => {
    const key = unique('key');
    expect(await count(key, 4, 10, START)).toMatchObject({ fill: 0.25 });
    expect(await count(key, 4, 10, START)).toMatchObject({ fill: 0.5 });
    expect(await count(key, 4, 10, START + 60)).toMatchObject({ fill: 0.3 });
  });

  test('a counted event can be removed from all of its rate limit windows', async () => {
    const key = unique('key');
    const daily = [
      { seconds: MINUTE, max: 5 },
      { seconds: DAY, max: 5 },
    ];
    const uncount = () => windows(store().table('flows')).uncount(key, daily, START);
    await uncount();
    for (let n = 0; n < 5; n += 1) await count(key, 5, 5, START);
    await Promise.all([uncount(), uncount()]);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => count(key, 5, 5, START)));
    expect(outcomes.filter(({ admitted }) => admitted)).toHaveLength(2);
  });

  test('clearing a rate limit removes the counts of its current and its previous window', async () => {
    const [key, other] = [unique('key'), unique('key')];
    const [windowBefore, previous, next] = [START - DAY - 1, START - 1, START + DAY];
    for (const at of [windowBefore, previous, START, next]) await count(key, 5, 5, at);
    await count(other, 5, 5, START);
    expect(
      await store()
        .table('flows')
        .get(windowKey(key, DAY, START / DAY)),
    ).toMatchObject({
      purge_at: START + DAY + 3600,
    });
    const records = windowRecords(store().table('flows'));
    await records.forget([key], DAY, START);
    const counted = (of: string, at: number) => records.counted(of, [{ seconds: DAY, max: 5 }], at);
    for (const at of [previous, START]) expect(await counted(key, at)).toEqual([0]);
    for (const at of [windowBefore, next]) expect(await counted(key, at)).toEqual([1]);
    expect(await counted(other, START)).toEqual([1]);
  });

  describe('limit on unconfirmed events, such as SMS codes that no user has entered', () => {
    const HOUR = 3600;
    const limit = { max: 5, probes: 2 };
    const unpaid = (key: string, at: number, hour = 100) =>
      windows(store().table('flows')).count(
        key,
        [
          { seconds: HOUR, max: hour },
          { seconds: DAY, max: 100 },
        ],
        at,
        limit,
      );
    const pay = (key: string, events: number, at = START) =>
      windows(store().table('flows')).confirm(key, DAY, events, at);
    const countAdmitted = async (key: string, n: number, at: number) =>
      (await Promise.all(Array.from({ length: n }, () => unpaid(key, at)))).filter(({ admitted }) => admitted)
        .length;

    test('40 concurrent events are admitted only up to the limit on unconfirmed events', async () => {
      const key = unique('key');
      expect(await countAdmitted(key, 40, START)).toBe(limit.max);
      expect(await unpaid(key, START + 10)).toEqual({
        admitted: false,
        retryAfterSeconds: HOUR - 10,
        unconfirmed: true,
      });
    });

    test('above the limit on unconfirmed events, only a few events per window are admitted', async () => {
      const key = unique('key');
      await countAdmitted(key, 10, START);
      expect(await countAdmitted(key, 40, START + HOUR)).toBe(limit.probes);
      expect(await countAdmitted(key, 40, START + 2 * HOUR)).toBe(limit.probes);
      expect(await countAdmitted(key, 10, START + DAY)).toBe(limit.max);
    });

    test('each event that is confirmed later makes room for one new event', async () => {
      const key = unique('key');
      await pay(key, 4);
      expect(await countAdmitted(key, 3, START)).toBe(3);
      await pay(key, 4);
      expect(await countAdmitted(key, 10, START)).toBe(2);
      await Promise.all(Array.from({ length: 10 }, () => pay(key, 4)));
      expect(await countAdmitted(key, 10, START)).toBe(4);
    });

    test('an event above both the rate limit and the limit on unconfirmed events is rejected by the rate limit', async () => {
      const key = unique('key');
      for (let n = 0; n < 5; n += 1) await unpaid(key, START, 5);
      expect(await unpaid(key, START, 5)).toEqual({ admitted: false, retryAfterSeconds: HOUR });
    });
  });

  test('counting an event also returns whether a change to the client was announced', async () => {
    const key = unique('key');
    const minutely = (at: number) =>
      windows(store().table('flows')).count(key, [{ seconds: MINUTE, max: 2 }], at);
    expect(await minutely(START)).not.toHaveProperty('announced');
    await windowRecords(store().table('flows')).announce(key, MINUTE, START + 1);
    expect(
      await store()
        .table('flows')
        .get(windowKey(key, MINUTE, START / MINUTE)),
    ).toMatchObject({
      announced: true,
      purge_at: START + MINUTE + 3600,
    });
    // Counts with a clock that is a minute slow, and with a clock that is four minutes fast.
    for (const at of [START - 59, START + 4 * MINUTE - 1])
      expect(await minutely(at)).toMatchObject({ announced: true });
    for (const at of [START + 31, START + 32, START + MINUTE, START + 3 * MINUTE - 1])
      expect(await minutely(at)).toMatchObject({ announced: true, admitted: at !== START + 32 });
    expect(await minutely(START + 4 * MINUTE)).toEqual({ admitted: true, exhausted: false, fill: 0.5 });
  });

  test('events counted out of order never exceed the rate limit of any minute', async () => {
    const key = unique('key');
    const at = Array.from({ length: 60 }, (_, n) => START + (n % 3) * MINUTE + n);
    const outcomes = await Promise.all(
      at.map(async (time) => ({ time, ...(await count(key, 4, 10, time)) })),
    );
    const admitted = outcomes.filter((outcome) => outcome.admitted);
    expect(admitted).toHaveLength(10);
    for (const minute of [0, 1, 2, 3]) {
      const ofMinute = admitted.filter(({ time }) => Math.floor((time - START) / MINUTE) === minute);
      expect(ofMinute.length).toBeLessThanOrEqual(4);
    }
  });
});
