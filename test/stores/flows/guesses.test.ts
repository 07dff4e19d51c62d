import { expect, test } from '@jest/globals';
import { guesses } from '../../../shared/dynamo/flows/guesses.ts';
import { guessesPartition } from '../../../shared/dynamo/keys.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('counters of wrong guesses', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);
  const counts = () => guesses(store().table('flows'));
  const newCounter = (callerType = 'strangers') => ({ userHash: unique('person'), callerType });

  test('concurrent wrong codes never raise the attempt counter above its limit', async () => {
    const counter = newCounter();
    for (let n = 1; n <= 93; n += 1) expect(await counts().count(counter, 100, T)).toBe(n);
    const counted = await atOnce(40, () => counts().count(counter, 100, T));
    expect(counted.filter((failures) => failures !== undefined).sort()).toEqual([
      100, 94, 95, 96, 97, 98, 99,
    ]);
  });

  test('a wrong code is counted only once if the DynamoDB response is lost', async () => {
    const counter = newCounter();
    proxy().lose('UpdateItem', 'break');
    expect(await guesses(table('flows')).count(counter, 100, T)).toBe(1);
    expect(await counts().count(counter, 100, T)).toBe(2);
  });

  test('a correct code resets the counter of wrong codes as long as the counter is below its limit', async () => {
    const counter = newCounter();
    expect(await counts().clearBelow(counter, 2)).toBe(true);
    await counts().count(counter, 2, T);
    expect(await counts().clearBelow(counter, 2)).toBe(true);
    for (let n = 1; n <= 2; n += 1) expect(await counts().count(counter, 2, T)).toBe(n);
    expect(await counts().areFull(counter.userHash, 3)).toBe(false);
    expect(await counts().areFull(counter.userHash, 2)).toBe(true);
    expect(await counts().clearBelow(counter, 2)).toBe(false);
    expect(await counts().count(counter, 2, T)).toBeUndefined();
  });

  test('a correct code sent together with 40 wrong codes is rejected once the limit is reached', async () => {
    const counter = newCounter();
    const wrong = atOnce(40, () => counts().count(counter, 10, T));
    const isAdmitted = await counts().clearBelow(counter, 10);
    const counted = (await wrong).filter((failures) => failures !== undefined);
    expect(counted.length).toBeGreaterThanOrEqual(10);
    expect(counted.length).toBeLessThanOrEqual(isAdmitted ? 19 : 10);
    expect(await counts().areFull(counter.userHash, 10)).toBe(true);
  });

  test('resetting one counter of wrong codes does not change counters of other users or caller types', async () => {
    const [one, two] = [newCounter(), newCounter()];
    const device = { ...one, callerType: 'browser' };
    for (const counter of [one, two, device]) await counts().count(counter, 1, T);
    await counts().clear(one);
    expect(await counts().count(one, 1, T)).toBe(1);
    expect(await counts().count(device, 1, T)).toBeUndefined();
    await counts().clearAllOf(one.userHash);
    expect(await store().table('flows').query(guessesPartition(one.userHash))).toEqual([]);
    expect(await counts().count(two, 1, T)).toBeUndefined();
  });
});
