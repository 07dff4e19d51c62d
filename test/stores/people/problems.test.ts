import { expect, test } from '@jest/globals';
import { userKey } from '../../../shared/dynamo/keys.ts';
import { userRecords, users } from '../../../shared/dynamo/people/users.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import type { User } from '../../../shared/ports/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someAddress, someUser, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const email = someAddress('ada@example.com');

describeStore('users with a problem', (store) => {
  const known = () => users(store().table('people'));
  const records = () => userRecords(store().table('people'));

  async function stored(change: Partial<User> = {}): Promise<User> {
    const user = someUser(change);
    expect(await records().put(user)).toBe(true);
    return user;
  }

  test('the list of users with a lasting problem begins with the newest problem', async () => {
    const tenantId = unique('tenant');
    const lists = async (limit = 10, cursor = {}) => {
      const { items, nextCursor } = await records().listWithProblem(tenantId, { limit, ...cursor });
      return [items.map(({ userId }) => userId), nextCursor] as const;
    };
    const created = await stored({ tenantId, status: 'Disabled', createdAt: T + 3 });
    const user = await stored({ tenantId, createdAt: T + 2 });
    const bounced = await stored({ tenantId, email, createdAt: T + 1 });
    await stored({ tenantId, wrongGuesses: ['app#1'], createdAt: T });
    await stored({ status: 'Disabled' });
    const before = (await records().find(user.userId)) as User;
    await records().replace(before, { ...before, status: 'Disabled' });
    await known().markUndeliverable(bounced, email.value, { reason: 'bounce', since: T });
    expect(await lists()).toEqual([[created.userId, user.userId, bounced.userId], undefined]);
    const [first, cursor] = await lists(2);
    expect(first).toEqual([created.userId, user.userId]);
    expect(await lists(2, { cursor })).toEqual([[bounced.userId], undefined]);

    const disabled = (await records().find(user.userId)) as User;
    await records().replace(disabled, { ...disabled, status: 'Active' });
    expect(await records().remove(created.userId)).toBe(true);
    expect(await lists()).toEqual([[bounced.userId], undefined]);
    const enabled = (await records().find(user.userId)) as User;
    await records().replace(enabled, { ...enabled, status: 'Disabled' });
    expect(await lists()).toEqual([[user.userId, bounced.userId], undefined]);
  });

  test('a late change of a user who was erased in the meantime stores no item of the user', async () => {
    const before = await stored({ email });
    expect(await records().remove(before.userId)).toBe(true);
    expect(await records().replace(before, { ...before, status: 'Disabled' })).toBe(false);
    expect(await known().markUndeliverable(before, email.value, { reason: 'bounce', since: T })).toBe(false);
    expect(await store().table('people').query(userKey(before.userId).pk)).toEqual([]);
  });

  test('a removal that fails after its first step keeps the user, so that it can be repeated', async () => {
    const { userId } = await stored({ status: 'Disabled' });
    const table = store().table('people');
    const failing: Table = {
      ...table,
      async remove(key) {
        await table.remove(key);
        throw new Error('crash');
      },
    };
    await expect(userRecords(failing).remove(userId)).rejects.toThrow('crash');
    expect(await records().find(userId)).toBeDefined();
    expect(await records().remove(userId)).toBe(true);
    expect(await table.query(userKey(userId).pk)).toEqual([]);
  });

  test('a user who is disabled and enabled concurrently is listed according to the stored state', async () => {
    const { userId, tenantId } = await stored({ tenantId: unique('tenant') });
    const before = (await records().find(userId)) as User;
    await atOnce(4, (n) =>
      records().replace(before, { ...before, status: n % 2 === 0 ? 'Disabled' : 'Active' }),
    );
    const { status } = (await records().find(userId)) as User;
    const { items } = await records().listWithProblem(tenantId, { limit: 10 });
    expect(items.map((user) => user.userId)).toEqual(status === 'Disabled' ? [userId] : []);
  });
});
