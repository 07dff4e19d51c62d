import { expect, test } from '@jest/globals';
import { SEEN_DEVICES_MAX } from '../../../shared/domain/basis/limits.ts';
import { seenDevicesPartition } from '../../../shared/dynamo/keys.ts';
import { seenDevices, timeline } from '../../../shared/dynamo/people/timeline.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('seen devices of a user', (store) => {
  const all = () => seenDevices(store().table('people'));
  const note = (user: string, n: number) =>
    all().note(user, { device: `device${n}`, eventId: `event${n}`, at: T + n, purgeAt: T + 9999 });
  const stored = (user: string) => store().table('people').query(seenDevicesPartition(user));

  test('if a user has too many seen devices, the oldest device is removed', async () => {
    const user = unique('user');
    expect(await note(user, 0)).toBe('first');
    for (let n = 1; n <= SEEN_DEVICES_MAX; n += 1) expect(await note(user, n)).toBe('new');
    expect(await stored(user)).toHaveLength(SEEN_DEVICES_MAX);
    expect(await note(user, 1)).toBe('new');
    expect(await note(user, SEEN_DEVICES_MAX - 1)).toBe('new');
    expect(await stored(user)).toHaveLength(SEEN_DEVICES_MAX);
    const again = { device: 'device2', eventId: 'another', at: T + 500, purgeAt: T + 9999 };
    expect(await all().note(user, again)).toBe('known');
    expect(await note(user, 0)).toBe('new');
  });

  test('if concurrent logins store too many seen devices, the next login removes the surplus', async () => {
    const user = unique('user');
    await atOnce(2 * SEEN_DEVICES_MAX, (n) => note(user, n));
    await note(user, 1000);
    expect(await stored(user)).toHaveLength(SEEN_DEVICES_MAX);
  });
});

describeStore('the list of changes to users', (store) => {
  const table = () => store().table('people');
  const change = (userId: string, tenantId: string) => ({
    ...{ eventId: 'event', type: 'user.updated', time: '2026-11-28T09:30:00.000Z', detail: {} },
    ...{ userId, tenantId },
  });
  const listed = async (userId: string, tenantId: string) => {
    const page = { limit: 9 };
    const lists = [{ tenantId }, { tenantId, userId }].map((of) =>
      timeline(table()).listChanges(of, page, () => true),
    );
    return (await Promise.all(lists)).map(({ items }) => items.length);
  };

  test('an event delivered several times appears once in the list of changes to a user', async () => {
    const [user, tenant] = [unique('user'), unique('tenant')];
    await atOnce(5, () => timeline(table()).addChange(change(user, tenant), T + 9e8));
    expect(await listed(user, tenant)).toEqual([1, 1]);
    expect(await listed(user, unique('tenant'))).toEqual([0, 0]);
  });

  test('the last page of the list of changes to a user contains no cursor', async () => {
    const tenant = unique('tenant');
    const times = ['09:30', '09:31', '09:32', '09:33'].map((time) => `2026-11-28T${time}:00.000Z`);
    for (const time of times)
      await timeline(table()).addChange({ ...change(unique('user'), tenant), time }, T + 9e8);
    const seen: string[][] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await timeline(table()).listChanges(
        { tenantId: tenant },
        page,
        () => true,
      );
      seen.push(items.map(({ time }) => time));
      cursor = nextCursor;
    }
    expect(seen).toEqual([times.slice(2).reverse(), times.slice(0, 2).reverse()]);
    const three = await timeline(table()).listChanges({ tenantId: tenant }, { limit: 3 }, () => true);
    expect([three.items.length, three.nextCursor]).toEqual([3, expect.any(String)]);
  });

  test('reading the list of changes stops after 1,000 entries and returns a cursor', async () => {
    let reads = 0;
    const queryNewest = async () => {
      reads += 1;
      return { items: [], nextCursor: `cursor ${reads}` };
    };
    const { listChanges } = timeline({ ...table(), queryNewest });
    const found = await listChanges({ tenantId: 'tenant' }, { limit: 1 }, () => true);
    expect(found).toEqual({ items: [], nextCursor: 'cursor 10' });
  });

  test('erasing a user also removes an entry that is written to the list of changes during the erasure', async () => {
    const [user, tenant] = [unique('user'), unique('tenant')];
    let writes = 0;
    const put = async (...given: Parameters<ReturnType<typeof table>['put']>) => {
      writes += 1;
      if (writes === 2) await timeline(table()).erase(user);
      return table().put(...given);
    };
    await timeline({ ...table(), put }).addChange(change(user, tenant), T + 9e8);
    await timeline(table()).erase(user);
    expect([writes, await listed(user, tenant)]).toEqual([2, [0, 0]]);
  });
});

describeStore('the timeline of a user with the messages', (store) => {
  test('events and messages are listed on pages in descending order of time', async () => {
    const { add, addMessage, listWithMessages } = timeline(store().table('people'));
    const userId = unique('user');
    const times = ['09:30', '09:31', '09:32', '09:33'].map((time) => `2026-11-28T${time}:00.000Z`);
    for (const [n, time] of times.entries()) {
      const event = { eventId: 'event', type: 'login.succeeded', time, detail: {} };
      if (n % 2 === 0) await add({ ...event, userId }, T + 9e8);
      else await addMessage(userId, event, T + 9e8);
    }
    const pages: string[][] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await listWithMessages(userId, [userId], page);
      pages.push(items.map(({ time }) => time));
      cursor = nextCursor;
    }
    expect(pages).toEqual([times.slice(2).reverse(), times.slice(0, 2).reverse()]);
    const all = await listWithMessages(userId, [userId], { limit: 4 });
    expect([all.items.length, all.nextCursor]).toEqual([4, undefined]);
  });
});

describeStore('forged cursors of lists that begin with the newest item', (store) => {
  const encoded = (text: string) => Buffer.from(text).toString('base64url');

  test('a list cursor with the longest allowed key is accepted', async () => {
    const { queryNewest, queryKeys } = store().table('people');
    const oldest = { limit: 1, cursor: encoded('k'.repeat(1000)) };
    expect(await queryNewest(unique('user'), oldest)).toEqual({ items: [] });
    const parts = ['pk', 'sk', 'k'.repeat(736)];
    const cursor = encoded(JSON.stringify(parts));
    expect(cursor).toHaveLength(1000);
    expect(await queryKeys(unique('list'), { limit: 1, cursor })).toEqual({ items: [] });
  });

  test.each([
    ['no bytes', '%'],
    ['a key that is too long', encoded('k'.repeat(1001))],
  ])('a list cursor that contains %s is rejected', async (_title, cursor) => {
    const { queryNewest } = store().table('people');
    await expect(queryNewest(unique('user'), { limit: 1, cursor })).rejects.toMatchObject({
      key: 'system_invalid_input',
      message: 'cursor: invalid',
    });
  });
});
