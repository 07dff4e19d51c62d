import { expect, test } from '@jest/globals';
import { userPartition } from '../../shared/dynamo/keys.ts';
import { knownDevices } from '../../shared/dynamo/known-devices.ts';
import { userRecords } from '../../shared/dynamo/users.ts';
import { atOnce } from '../support/at-once.ts';
import { someUser, T, unique } from '../support/records.ts';
import { describeStore } from '../support/store.ts';

describeStore('known devices', (store) => {
  const devices = () => knownDevices(store().table('people'));

  test('a browser is known to the user who logged in from it, and to nobody else', async () => {
    const [user, other, browser] = [unique('user'), unique('user'), unique('browser')];
    expect(await devices().isKnown(user, browser)).toBe(false);
    await devices().remember(user, browser, T);
    expect(await devices().isKnown(user, browser)).toBe(true);
    expect(await devices().isKnown(other, browser)).toBe(false);
    expect(await devices().isKnown(user, unique('browser'))).toBe(false);
    expect(await devices().isKnown(`${user}#device`, browser)).toBe(false);
  });

  test('a browser is kept once, however often it is remembered', async () => {
    const [user, browser] = [unique('user'), unique('browser')];
    await atOnce(10, (n) => devices().remember(user, browser, T + n));
    expect(await store().table('people').query(userPartition(user))).toHaveLength(1);
  });

  test('what cannot be a key is unknown', async () => {
    for (const name of ['\ud800', 'x'.repeat(5000)]) {
      expect(await devices().isKnown(name, 'browser')).toBe(false);
      expect(await devices().isKnown('user', name)).toBe(false);
    }
  });

  test('whoever erases the user erases their devices', async () => {
    const user = someUser();
    const browsers = Array.from({ length: 5 }, () => unique('browser'));
    const records = userRecords(store().table('people'));
    await records.put(user);
    await Promise.all(browsers.map((browser) => devices().remember(user.userId, browser, T)));
    await records.remove(user.userId);
    expect(await store().table('people').query(userPartition(user.userId))).toEqual([]);
    for (const browser of browsers) expect(await devices().isKnown(user.userId, browser)).toBe(false);
  });
});
