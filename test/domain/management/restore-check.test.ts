import { expect, test } from '@jest/globals';
import { checkDirectory, checkPeople } from '../../../shared/domain/management/restore-check.ts';
import {
  someApplication,
  someClient,
  someSigningKey,
  someTenant,
  someUser,
} from '../../support/server/records.ts';

const list = (all: readonly object[]) => async () => ({ items: all });
const tenant = someTenant();
const { tenantId } = tenant;

function directory({
  applications = [] as object[],
  tenants = [tenant] as object[],
  keys = [] as object[],
} = {}) {
  return {
    tenantRecords: { list: list(tenants) },
    applicationRecords: { list: list(applications) },
    clientRecords: { list: list(tenants.length > 0 ? [someClient()] : []) },
    signingKeyRecords: { list: async () => keys },
  } as never;
}

const readOutcomes = (
  checks: readonly { readonly name: string; readonly ok: boolean; readonly found: string }[],
) => checks.map(({ ok, found }) => [ok, found]);

test('a restored directory table is compared with the live table', async () => {
  const [own, foreign] = [someApplication({ tenantId }), someApplication()];
  const keys = [someSigningKey({ kid: 'a' }), someSigningKey({ kid: 'b', state: 'current' })];
  const check = async (then: Parameters<typeof directory>[0], sample = 10) =>
    readOutcomes(await checkDirectory(directory({ keys }), directory(then), sample));
  expect(await check({ applications: [own], keys: keys.toReversed() })).toEqual([
    ...[
      [true, '1'],
      [true, '1'],
      [true, '2'],
    ],
    [true, 'a next, b current'],
  ]);
  expect(await check({ applications: [own, foreign], keys: keys.slice(1) })).toEqual([
    ...[
      [true, '1'],
      [false, '2'],
      [true, '3'],
    ],
    [false, 'then: b current; now: a next, b current'],
  ]);
  expect(await check({ applications: [own, foreign], keys }, 1)).toMatchObject([
    [true, '1'],
    [true, '1'],
    [true, '2'],
    {},
  ]);
  expect(await check({ keys })).toEqual([
    ...[
      [true, '1'],
      [true, '0'],
      [true, '1'],
    ],
    [true, 'a next, b current'],
  ]);
  expect(await check({ tenants: [], keys })).toMatchObject([[false, '0'], [true, '0'], [false, '0'], {}]);
});

test('a restored people table is compared with the live table', async () => {
  const [first, second, erased, created] = ['a', 'b', 'c', 'd'].map((username) =>
    someUser({ tenantId, username }),
  );
  const people = (users: readonly ReturnType<typeof someUser>[], lost?: string) =>
    ({
      tenantRecords: { list: list([tenant]) },
      userRecords: {
        list: list(users),
        find: async (userId: string) => users.find((user) => user.userId === userId),
      },
      identifiers: {
        find: async (_: string, { value }: { readonly value: string }) =>
          value === lost ? undefined : users.find(({ username }) => username === value)?.userId,
      },
    }) as never;
  const now = people([first, second, created] as never);
  const check = async (restored: never, sample = 10) =>
    readOutcomes(await checkPeople(now, restored, sample));
  const then = [first, second, erased] as never;
  expect(await check(people(then))).toEqual([
    [true, '3'],
    [true, '3 of 3'],
    [true, '1'],
    [true, '1'],
  ]);
  expect(await check(people(then, 'b'))).toEqual([
    [true, '3'],
    [false, '2 of 3'],
    [true, '1'],
    [true, '1'],
  ]);
  expect(await check(people(then), 2)).toEqual([
    [true, '2'],
    [true, '2 of 2'],
    [true, '0'],
    [true, '0'],
  ]);
  expect((await check(people(then), 1))[0]).toEqual([true, '1']);
  expect(await check(people([]))).toEqual([
    [false, '0'],
    [true, '0 of 0'],
    [true, '0'],
    [true, '3'],
  ]);
});
