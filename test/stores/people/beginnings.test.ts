import { expect, test } from '@jest/globals';
import { userKey } from '../../../shared/dynamo/keys.ts';
import { identifierReservations } from '../../../shared/dynamo/people/identifiers.ts';
import { userRecords } from '../../../shared/dynamo/people/users.ts';
import type { User } from '../../../shared/ports/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someUser, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('user search by prefix', (store) => {
  const records = () => userRecords(store().table('people'));
  const reservations = () => identifierReservations(store().table('people'));

  async function found(tenantId: string, beginning: string, limit = 100) {
    const { items } = await records().listByBeginning(tenantId, beginning, { limit });
    return items.map(({ user, by }) => [user.userId, by]);
  }

  async function named(tenantId: string, name: Partial<User>): Promise<User> {
    const user = someUser({ tenantId, ...name });
    expect(await records().put(user)).toBe(true);
    return user;
  }

  test('a search finds a user by a prefix of the full name or last name', async () => {
    const tenantId = unique('tenant');
    const { userId } = await named(tenantId, { firstName: 'Zoé  Ann', lastName: 'Weiß' });
    for (const beginning of ['zoe', 'ZOÉ A', 'z', 'weiss', 'zoe ann weis'])
      expect(await found(tenantId, beginning)).toEqual([[userId, 'name']]);
    for (const beginning of ['ann', 'eiss', 'zoe ann weissmann', 'x', ' ', '\u0301', '\ud800'])
      expect(await found(tenantId, beginning)).toEqual([]);
    expect(await found(unique('tenant'), 'zoe')).toEqual([]);
  });

  test('a search does not find a user by a previous name', async () => {
    const tenantId = unique('tenant');
    const user = await named(tenantId, { firstName: 'Ann', lastName: 'Miller' });
    const married = { ...user, lastName: 'Smith' };
    expect(await records().replace(user, married)).toBe(true);
    expect(await found(tenantId, 'miller')).toEqual([]);
    expect(await found(tenantId, 'smith')).toHaveLength(1);
    const { lastName: _, ...first } = married;
    expect(await records().replace(married, first)).toBe(true);
    expect(await found(tenantId, 'smith')).toEqual([]);
    expect(await found(tenantId, 'ann')).toHaveLength(1);
    await records().remove(user.userId);
    expect(await store().table('people').queryByBeginning(`find#${tenantId}#a`, 'a', { limit: 9 })).toEqual({
      items: [],
    });
  });

  test('a search compares only the first 64 characters of a name', async () => {
    const tenantId = unique('tenant');
    const { userId } = await named(tenantId, { lastName: `${'a'.repeat(64)}b` });
    expect(await found(tenantId, `${'a'.repeat(64)}c`)).toEqual([[userId, 'name']]);
    expect(await found(tenantId, `${'a'.repeat(63)}c`)).toEqual([]);
  });

  test('a user with only one name and no problem is stored as one item', async () => {
    const items = (userId: string) => store().table('people').query(userKey(userId).pk);
    for (const name of [{}, { firstName: 'Ann' }, { lastName: 'Weber' }]) {
      const user = await named(unique('tenant'), name);
      expect(await records().replace(user, { ...user, language: 'de' })).toBe(true);
      expect(await items(user.userId)).toHaveLength(1);
    }
  });

  test('a user whose name contains no letters can be stored', async () => {
    const tenantId = unique('tenant');
    await named(tenantId, { firstName: '\u0301\u0300' });
    await named(tenantId, { firstName: '\ufdfa'.repeat(128), lastName: '\ud800 ' });
    const { userId } = await named(tenantId, { firstName: '#%'.repeat(64) });
    expect(await found(tenantId, '#%#')).toEqual([[userId, 'name']]);
  });

  test('a search finds a user by a prefix of an email address, username or external ID', async () => {
    const tenantId = unique('tenant');
    const { userId } = await named(tenantId, {});
    const types = ['email', 'username', 'external:app', 'phone_number', 'social:google', 'card'];
    for (const type of types)
      expect(await reservations().reserve(tenantId, { type, value: `${type}#1` }, userId, T)).toBe('new');
    const all = await Promise.all(types.map((type) => found(tenantId, `${type}#`)));
    expect(all).toEqual([
      [[userId, 'email']],
      [[userId, 'username']],
      [[userId, 'external_user_id']],
      [],
      [],
      [],
    ]);
    await reservations().release(tenantId, { type: 'email', value: 'email#1' }, userId, T);
    expect(await found(tenantId, 'email#')).toEqual([]);
  });

  test('a search by name prefix lists each matching user once, in alphabetical order', async () => {
    const tenantId = unique('tenant');
    const names = Array.from({ length: 25 }, (_, n) => `Bea ${String(n).padStart(2, '0')}`);
    await atOnce(names.length, (n) => named(tenantId, { firstName: String(names[n]) }));
    const met: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = { limit: 10, ...(cursor && { cursor }) };
      const { items, nextCursor } = await records().listByBeginning(tenantId, 'bea', page);
      met.push(...items.map(({ user }) => user.firstName));
      cursor = nextCursor;
    } while (cursor);
    expect(met).toEqual(names);
    const forged = { limit: 1, cursor: Buffer.from('["a"]').toString('base64url') };
    await expect(records().listByBeginning(tenantId, 'bea', forged)).rejects.toThrow('cursor');
  });
});
