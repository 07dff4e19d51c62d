import { expect, test } from '@jest/globals';
import { SEEN_DEVICES_MAX } from '../../../shared/domain/basis/limits.ts';
import { seenDevicesPartition } from '../../../shared/dynamo/keys.ts';
import { seenDevices } from '../../../shared/dynamo/people/timeline.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('devices that a user was seen with', (store) => {
  const all = () => seenDevices(store().table('people'));
  const note = (user: string, n: number) =>
    all().note(user, { device: `device${n}`, eventId: `event${n}`, at: T + n, purgeAt: T + 9999 });
  const stored = (user: string) => store().table('people').query(seenDevicesPartition(user));

  test('of too many the oldest is forgotten: a login reads no more, and it is new when it comes back', async () => {
    const user = unique('user');
    expect(await note(user, 0)).toBe('first');
    for (let n = 1; n <= SEEN_DEVICES_MAX; n += 1) expect(await note(user, n)).toBe('new');
    expect(await stored(user)).toHaveLength(SEEN_DEVICES_MAX);
    expect(await note(user, 1)).toBe('new');
    expect(await note(user, SEEN_DEVICES_MAX - 1)).toBe('new');
    const again = { device: 'device2', eventId: 'another', at: T + 500, purgeAt: T + 9999 };
    expect(await all().note(user, again)).toBe('known');
    expect(await note(user, 0)).toBe('new');
  });

  test('many at once are one login over the maximum at most for a moment', async () => {
    const user = unique('user');
    await atOnce(2 * SEEN_DEVICES_MAX, (n) => note(user, n));
    await note(user, 1000);
    expect(await stored(user)).toHaveLength(SEEN_DEVICES_MAX);
  });
});
