import { expect, test } from '@jest/globals';
import { LIST_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import { identifierReservations, identifiers } from '../../../shared/dynamo/people/identifiers.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('identifier reservations', (store) => {
  const reservations = () => identifierReservations(store().table('people'));
  const find = (tenantId: string, type: string, value: string) =>
    identifiers(store().table('people')).find(tenantId, { type, value });
  const ada = { type: 'email', value: 'ada@example.com' };

  test('only one of 20 concurrent users can reserve the same identifier', async () => {
    const tenantId = unique('tenant');
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reservations().reserve(tenantId, ada, `user-${n}`, T + n / 1000)),
    );
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(1);
    const owner = await find(tenantId, ada.type, ada.value);
    for (const outcome of outcomes) if (outcome !== 'new') expect(outcome).toMatchObject({ userId: owner });
  });

  test('reserving an identifier again renews the reservation time', async () => {
    const tenantId = unique('tenant');
    expect(await reservations().reserve(tenantId, ada, 'user', T + 0.001)).toBe('new');
    expect(await reservations().reserve(tenantId, ada, 'user', T + 0.002)).toBe('own');
    expect(await reservations().reserve(tenantId, ada, 'user', T + 0.001)).toBe('own');
    expect(await reservations().reserve(tenantId, ada, 'other', T + 1)).toEqual({
      userId: 'user',
      reservedAt: T + 0.002,
    });
  });

  test('reserving an identifier gives up after four rounds if others keep changing the reservation', async () => {
    let writes = 0;
    const tryPut: Table['tryPut'] = async () => {
      writes += 1;
      return { done: false, existing: undefined };
    };
    const contended = identifierReservations({ ...store().table('people'), tryPut });
    await expect(contended.reserve('tenant', ada, 'user', T)).rejects.toMatchObject({
      key: 'service_unavailable',
    });
    expect(writes).toBe(2 * 4);
  });

  test('only one of 20 concurrent callers can take over an identifier reservation', async () => {
    const tenantId = unique('tenant');
    await reservations().reserve(tenantId, ada, 'ghost', T);
    const seen = { userId: 'ghost', reservedAt: T };
    const wrong = [
      { ...seen, reservedAt: T + 1 },
      { ...seen, userId: 'x' },
    ];
    for (const other of wrong)
      expect(
        await reservations().takeOver(tenantId, ada, other, { userId: 'user', reservedAt: T + 60 }),
      ).toBe(false);
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        reservations().takeOver(tenantId, ada, seen, { userId: `user-${n}`, reservedAt: T + 60 }),
      ),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await find(tenantId, ada.type, ada.value)).toBe(`user-${wins.indexOf(true)}`);
  });

  test('an identifier reservation cannot be taken over after its owner has renewed it', async () => {
    const tenantId = unique('tenant');
    await reservations().reserve(tenantId, ada, 'user', T);
    await reservations().reserve(tenantId, ada, 'user', T + 1);
    const stale = { userId: 'user', reservedAt: T };
    expect(await reservations().takeOver(tenantId, ada, stale, { userId: 'other', reservedAt: T + 60 })).toBe(
      false,
    );
  });

  test('only the user who reserved an identifier can release it', async () => {
    const tenantId = unique('tenant');
    await reservations().reserve(tenantId, ada, 'user', T + 5);
    await reservations().release(tenantId, ada, 'other', T + 10);
    await reservations().release(tenantId, ada, 'user', T + 4);
    expect(await find(tenantId, ada.type, ada.value)).toBe('user');
    await reservations().release(tenantId, ada, 'user', T + 5);
    expect(await find(tenantId, ada.type, ada.value)).toBeUndefined();
    expect(await reservations().reserve(tenantId, ada, 'other', T + 6)).toBe('new');
  });

  test('releasing all identifiers of one user keeps the identifiers of other users reserved', async () => {
    const tenantId = unique('tenant');
    const [mine, theirs] = [unique('user'), unique('user')];
    const values = Array.from({ length: LIST_LIMIT_MAX + 1 }, (_, n) => `card-${n}`);
    await Promise.all(
      values.map((value) => reservations().reserve(tenantId, { type: 'card', value }, mine, T)),
    );
    await reservations().reserve(tenantId, ada, theirs, T);
    // After the takeover, the identifier belongs only to the other user.
    await reservations().takeOver(
      tenantId,
      { type: 'card', value: 'card-0' },
      { userId: mine, reservedAt: T },
      { userId: theirs, reservedAt: T },
    );
    await reservations().releaseAllOf(mine);
    for (const value of values.slice(1)) expect(await find(tenantId, 'card', value)).toBeUndefined();
    for (const [type, value] of [
      ['card', 'card-0'],
      [ada.type, ada.value],
    ] as const)
      expect(await find(tenantId, type, value)).toBe(theirs);
  });

  test('identifiers that differ in tenant, type or value can be reserved by different users', async () => {
    const tenantId = unique('tenant');
    await reservations().reserve(tenantId, { type: 'a', value: 'b#c' }, 'one', T);
    await reservations().reserve(tenantId, { type: 'a#b', value: 'c' }, 'two', T);
    await reservations().reserve(tenantId, { type: 'a', value: 'b%23c' }, 'three', T);
    await reservations().reserve(`${tenantId}#a`, { type: 'b', value: 'c' }, 'four', T);
    expect(await find(tenantId, 'a', 'b#c')).toBe('one');
    expect(await find(tenantId, 'a#b', 'c')).toBe('two');
    expect(await find(tenantId, 'a', 'b%23c')).toBe('three');
    expect(await find(`${tenantId}#a`, 'b', 'c')).toBe('four');
    expect(await find(tenantId, 'A', 'b#c')).toBeUndefined();
  });

  test('reserving an identifier that cannot be a DynamoDB key fails with an invalid input error', async () => {
    const tenantId = unique('tenant');
    for (const value of ['x'.repeat(3000), '\ud800', '\u20ac'.repeat(700)]) {
      expect(await find(tenantId, 'username', value)).toBeUndefined();
      await expect(
        reservations().reserve(tenantId, { type: 'username', value }, 'user', T),
      ).rejects.toMatchObject({
        key: 'system_invalid_input',
      });
    }
  });
});
