import { expect, test } from '@jest/globals';
import { KNOWN_DEVICE_SECONDS, KNOWN_DEVICES_MAX } from '../../../shared/domain/basis/limits.ts';
import { knownDeviceRecords, knownDevices } from '../../../shared/dynamo/flows/known-devices.ts';
import { knownDevicesKey } from '../../../shared/dynamo/keys.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('known devices', (store) => {
  const devices = () => knownDevices(store().table('flows'));
  const records = () => knownDeviceRecords(store().table('flows'));
  /** Returns the known devices of a user, newest first. */
  const readDevices = async (user: string) => {
    const item = (await store().table('flows').get(knownDevicesKey(user))) ?? {};
    const seen = Object.entries(item).filter(([name]) => name.startsWith('browser:'));
    return seen
      .sort(([, one], [, other]) => Number(other) - Number(one))
      .map(([name]) => name.slice('browser:'.length));
  };

  test('a browser is a known device only for users who have logged in with it', async () => {
    const [user, other, browser] = [unique('user'), unique('user'), unique('browser')];
    expect(await devices().isKnown(user, browser, T)).toBe(false);
    await devices().remember(user, browser, T);
    expect(await devices().isKnown(user, browser, T)).toBe(true);
    expect(await devices().isKnown(other, browser, T)).toBe(false);
    expect(await devices().isKnown(user, unique('browser'), T)).toBe(false);
    expect(await devices().isKnown(`${user}#device`, browser, T)).toBe(false);
  });

  test('a browser that logs in repeatedly is stored as one known device', async () => {
    const [user, browser] = [unique('user'), unique('browser')];
    await atOnce(10, (n) => devices().remember(user, browser, T + n));
    expect(await readDevices(user)).toEqual([browser]);
    const table = store().table('flows');
    let writes = 0;
    const update: typeof table.update = (...given) => {
      writes += 1;
      return table.update(...given);
    };
    await knownDevices({ ...table, update }).remember(user, browser, T);
    expect(writes).toBe(1);
  });

  test('a browser is no longer a known device half a year after its last login', async () => {
    const [user, browser] = [unique('user'), unique('browser')];
    await devices().remember(user, browser, T);
    await devices().remember(user, browser, T + 100);
    expect(await devices().isKnown(user, browser, T + 99 + KNOWN_DEVICE_SECONDS)).toBe(true);
    expect(await devices().isKnown(user, browser, T + 100 + KNOWN_DEVICE_SECONDS)).toBe(false);
    const item = await store().table('flows').get(knownDevicesKey(user));
    expect(item?.purge_at).toBeGreaterThan(T + 100 + KNOWN_DEVICE_SECONDS);

    await devices().remember(user, 'another', T + 100 + KNOWN_DEVICE_SECONDS);
    expect(await readDevices(user)).toEqual(['another']);
  });

  test('if a user has too many known devices, the least recently used device is removed', async () => {
    const user = unique('user');
    for (let n = 0; n < KNOWN_DEVICES_MAX; n += 1) await devices().remember(user, `browser${n}`, T + n);
    await devices().remember(user, 'browser0', T + 100);
    await devices().remember(user, 'new', T + 101);
    expect(await readDevices(user)).toHaveLength(KNOWN_DEVICES_MAX);
    for (const [browser, known] of [
      ['browser0', true],
      ['browser1', false],
      ['browser2', true],
      ['new', true],
    ] as const)
      expect([browser, await devices().isKnown(user, browser, T + 101)]).toEqual([browser, known]);
  });

  test('after concurrent logins in too many browsers, only the newest known devices are kept', async () => {
    const user = unique('user');
    await atOnce(KNOWN_DEVICES_MAX + 10, (n) => devices().remember(user, `browser${n}`, T + n));
    const newest = Array.from({ length: KNOWN_DEVICES_MAX }, (_, n) => `browser${KNOWN_DEVICES_MAX + 9 - n}`);
    expect(await readDevices(user)).toEqual(newest);
  });

  test('a browser ID that cannot be a DynamoDB key is treated as an unknown device', async () => {
    for (const name of ['\ud800', 'x'.repeat(5000)]) {
      expect(await devices().isKnown(name, 'browser', T)).toBe(false);
      expect(await devices().isKnown('user', name, T)).toBe(false);
    }
  });

  test('erasing a user erases the user’s known devices', async () => {
    const user = unique('user');
    await atOnce(5, (n) => devices().remember(user, `browser${n}`, T));
    await records().forgetAllOf(user);
    expect(await readDevices(user)).toEqual([]);
    expect(await store().table('flows').get(knownDevicesKey(user))).toBeUndefined();
    expect(await devices().isKnown(user, 'browser1', T)).toBe(false);
  });
});
