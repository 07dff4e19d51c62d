import { afterEach, expect, jest, test } from '@jest/globals';
import {
  requireFreshReservations,
  reserveIdentifiers,
} from '../../../shared/domain/identifiers/identifier-reservations.ts';
import type { Identifier, User } from '../../../shared/ports/people.ts';
import { someUser } from '../../support/server/records.ts';

/** Current time of the tests that measure the age of a reservation, in epoch seconds. */
const NOW = 1000;
const stopClock = () => jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
afterEach(() => {
  jest.restoreAllMocks();
});

test('the identifiers of a user are always reserved in the same order', async () => {
  const [a, b, c] = [
    { type: 'email', value: 'a' },
    { type: 'email', value: 'b' },
    { type: 'username', value: 'a' },
  ] as const;
  for (const given of [
    [a, b, c],
    [c, b, a],
    [b, c, a],
  ]) {
    const reserved: Identifier[] = [];
    const reserve = async (_: string, identifier: Identifier) => {
      reserved.push(identifier);
      return 'new';
    };
    const ports = { identifierReservations: { reserve } } as never;
    const { made } = await reserveIdentifiers(ports, 'tenant', 'user', given);
    expect([reserved, made]).toEqual([
      [a, b, c],
      [a, b, c],
    ]);
  }
});

const username = { type: 'username', value: 'ann' };
const owner = someUser({ tenantId: 'tenant', username: 'ann' });

test.each<[string, number, User | undefined, boolean]>([
  ['a minute old and its user does not exist', 60, undefined, true],
  ['less than a minute old', 59.9, undefined, false],
  ['old and its user has the identifier', 60, owner, false],
  ['old and its user has another identifier', 60, { ...owner, username: 'bob' }, true],
  ['old and its user belongs to another tenant', 60, { ...owner, tenantId: 'another' }, true],
])(
  'another user can take over a reservation only if its user was not stored: it is %s',
  async (_, age, user, isFree) => {
    stopClock();
    const calls: unknown[] = [];
    const held = { userId: 'first', reservedAt: NOW - age };
    const ports = {
      userRecords: { find: async () => user },
      identifierReservations: {
        reserve: async () => held,
        takeOver: async (...given: unknown[]) => calls.push(given) > 0,
        release: async () => undefined,
      },
    } as never;
    const reserving = reserveIdentifiers(ports, 'tenant', 'second', [username]);
    if (isFree) expect(await reserving).toEqual({ made: [username], at: NOW });
    else await expect(reserving).rejects.toMatchObject({ key: 'identifier_taken' });
    const taken = ['tenant', username, held, { userId: 'second', reservedAt: NOW }];
    expect(calls).toEqual(isFree ? [taken] : []);
  },
);

test('a user must be stored within 30 seconds after the reservation of their identifiers', async () => {
  stopClock();
  const released: unknown[] = [];
  const release = async (...given: unknown[]) => void released.push(given);
  const check = (age: number) =>
    requireFreshReservations({ identifierReservations: { release } } as never, 'tenant', 'user', {
      made: [username],
      at: NOW - age,
    });
  await check(29.9);
  expect(released).toEqual([]);
  await expect(check(30)).rejects.toMatchObject({ key: 'service_unavailable' });
  expect(released).toEqual([['tenant', username, 'user', NOW - 30]]);
});
