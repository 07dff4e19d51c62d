import { expect, test } from '@jest/globals';
import { PASSCODE_LOCK_MINUTES_MAX } from '../../../shared/domain/basis/limits.ts';
import { toWireDate } from '../../../shared/domain/basis/time.ts';
import { buildPeopleFilter, listProblems } from '../../../shared/domain/support/problems.ts';
import { listAllTroubled, listTroubled } from '../../../shared/domain/support/recent-trouble.ts';
import { findHolds } from '../../../shared/domain/support/support-view.ts';
import type { PageRequest } from '../../../shared/ports/directory.ts';
import type { CodeLock } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someAddress, someTenant, someUser, T } from '../../support/server/records.ts';

const tenant = someTenant();
const since = toWireDate(T - PASSCODE_LOCK_MINUTES_MAX * 60);
const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T + 1 } as const;
const complaint = { reason: 'complaint', since: T + 2 } as const;

const healthy = someUser({ applications: ['shop'] });
const guessed = someUser({ wrongGuesses: ['strangers'] });
const disabled = someUser({ status: 'Disabled', wrongGuesses: ['strangers'] });
const troubled = someUser({
  ...disabled,
  email: someAddress('ann@example.com', { undeliverable: complaint }),
  phoneNumber: someAddress('+12015550123', { risk }),
});

/** Creates ports whose users have these locks. All users have entered the maximum number of wrong codes if `areFull`. */
const lockPorts = (locks: readonly CodeLock[], areFull: boolean) => {
  const once = [locks];
  return {
    otps: { locksOf: async () => once.pop() ?? [] },
    guesses: { areFull: async () => areFull },
  } as never;
};
const lock = (applicationId: string, until: number) => ({ applicationId, until, tries: 3 }) as CodeLock;

test('the problems of a user are listed with lasting problems first', () => {
  expect(listProblems(troubled)).toEqual([
    'user_disabled',
    'mail_complaint',
    'number_at_risk',
    'wrong_codes',
  ]);
  expect(listProblems(healthy)).toEqual([]);
});

test.each<[Parameters<typeof buildPeopleFilter>[0], readonly User[]]>([
  [{}, [healthy, guessed, disabled]],
  [{ status: 'Active' }, [healthy, guessed]],
  [{ app_id: 'shop' }, [healthy]],
  [{ app_id: 'shop', status: 'Disabled' }, []],
  [{ has_problem: 'true' }, [guessed, disabled]],
  [{ has_problem: 'true', app_id: 'shop' }, []],
  [{ has_problem: 'locked' }, [healthy, guessed, disabled]],
])('the filter %j for lists of users accepts exactly the users who match', (filter, expected) => {
  expect([healthy, guessed, disabled].filter(buildPeopleFilter(filter))).toEqual(expected);
});

test('the holds of a user include the last lock of each application', async () => {
  const locks = [lock('shop', T + 9), lock('side', T + 4), lock('shop', T + 7)];
  expect(await findHolds(lockPorts(locks, true), tenant, troubled, T)).toEqual([
    { reason: 'user_disabled' },
    { reason: 'mail_complaint', since: toWireDate(T + 2) },
    { reason: 'number_at_risk', since: toWireDate(T + 1) },
    { reason: 'codes_off' },
    { reason: 'wrong_codes', app_id: 'side', until: toWireDate(T + 4), tries: 3 },
    { reason: 'wrong_codes', app_id: 'shop', until: toWireDate(T + 9), tries: 3 },
  ]);
  expect(await findHolds(lockPorts([], true), tenant, healthy, T)).toEqual([]);
});

test.each<[string, User, readonly CodeLock[], boolean, readonly object[]]>([
  ['two locks', guessed, [lock('a', T + 9), lock('b', T + 4)], false, [{ lockedUntil: toWireDate(T + 9) }]],
  ['one lock', guessed, [lock('a', T + 9)], false, [{ lockedUntil: toWireDate(T + 9) }]],
  ['a lock and disabled codes', guessed, [lock('a', T + 9)], true, [{ lockedUntil: undefined }]],
  ['no lock', disabled, [], false, []],
  ['a lock that a login has ended', healthy, [lock('a', T + 9)], true, []],
])('a user with %s is listed as locked until the last lock ends', async (_, user, locks, areFull, listed) => {
  const calls: unknown[] = [];
  const listByEvent = async (...call: unknown[]) => {
    calls.push(call);
    return { items: [user], nextCursor: 'next' };
  };
  const ports = { ...(lockPorts(locks, areFull) as object), userRecords: { listByEvent } } as never;
  expect(await listTroubled(ports, tenant, { problem: 'locked', limit: 5 }, T)).toEqual({
    items: listed.map((end) => ({ user, ...end })),
    nextCursor: 'next',
  });
  expect(calls).toEqual([[tenant.tenantId, 'login.locked', since, { limit: 5 }]]);
});

test('the list of users with any problem continues with recent wrong codes on the page that ends the lasting problems', async () => {
  const calls: unknown[] = [];
  const userRecords = {
    listWithProblem: async (_: string, { cursor }: PageRequest) =>
      cursor === undefined ? { items: [troubled], nextCursor: 'second' } : { items: [disabled] },
    listByEvent: async (...call: unknown[]) => {
      calls.push(call);
      return { items: [guessed, disabled, healthy], nextCursor: 'later' };
    },
  } as never;
  const list = (page: PageRequest) => listAllTroubled({ userRecords }, tenant, page, T);
  expect(await list({ limit: 1 })).toEqual({ items: [{ user: troubled }], nextCursor: 'second' });
  expect(await list({ limit: 1, cursor: 'second' })).toEqual({
    items: [{ user: disabled }],
    nextCursor: '.',
  });
  expect(calls).toEqual([]);
  expect(await list({ limit: 3, cursor: 'second' })).toEqual({
    items: [{ user: disabled }, { user: guessed }],
    nextCursor: '.later',
  });
  expect(await list({ limit: 3, cursor: '.' })).toEqual({ items: [{ user: guessed }], nextCursor: '.later' });
  await list({ limit: 3, cursor: '.later' });
  expect(calls).toEqual([
    [tenant.tenantId, 'login.failed', since, { limit: 2 }],
    [tenant.tenantId, 'login.failed', since, { limit: 3 }],
    [tenant.tenantId, 'login.failed', since, { limit: 3, cursor: 'later' }],
  ]);
});
