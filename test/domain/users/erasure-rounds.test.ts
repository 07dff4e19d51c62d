import { afterEach, expect, jest, test } from '@jest/globals';
import { create } from '../../../functions/events/erasures.ts';
import { ERASING_SECONDS, ERASURES_AT_ONCE, LIST_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import type { PendingErasure } from '../../../shared/ports/people.ts';
import type { someTenant } from '../../support/server/records.ts';

type Ports = Parameters<typeof create>[0];

const due = (count: number): PendingErasure[] =>
  Array.from({ length: count }, (_, n) => ({
    userId: `u${n}`,
    tenantId: 't',
    erasureId: `e${n}`,
    effectiveAt: 1,
  }));

/** A list of what is due, and whose users were looked for. */
function listOf(all: readonly PendingErasure[], tenant: () => ReturnType<typeof someTenant> | undefined) {
  const [removed, pages]: [string[], unknown[]] = [[], []];
  const ports = {
    tenants: { find: async () => tenant() },
    pendingErasures: {
      listDue: async (_: number, page: { limit: number; cursor?: string }) => {
        pages.push(page);
        const from = Number(page.cursor ?? 0);
        const next = from + page.limit;
        return { items: all.slice(from, next), ...(next < all.length && { nextCursor: String(next) }) };
      },
      remove: async (userId: string, erasureId: string) => {
        removed.push(`${userId} ${erasureId}`);
        return true;
      },
    },
  } as unknown as Ports;
  return { run: () => create(ports, {})({}), removed, pages };
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('what a deleted tenant has left in the list goes out of it, over all pages', async () => {
  const { run, removed, pages } = listOf(due(LIST_LIMIT_MAX + 1), () => undefined);
  await run();
  expect(removed).toHaveLength(LIST_LIMIT_MAX + 1);
  expect(removed).toEqual(expect.arrayContaining(['u0 e0', `u${LIST_LIMIT_MAX} e${LIST_LIMIT_MAX}`]));
  expect(pages).toEqual([
    { limit: LIST_LIMIT_MAX },
    { limit: LIST_LIMIT_MAX, cursor: String(LIST_LIMIT_MAX) },
  ]);
});

test('one that fails keeps no other from its turn, and is the error of the run', async () => {
  let asked = 0;
  const { run, removed } = listOf(due(3), () => {
    asked += 1;
    if (asked === 2) throw new Error('the second');
    return undefined;
  });
  await expect(run()).rejects.toThrow('the second');
  expect(removed).toEqual(['u0 e0', 'u2 e2']);
});

test.each([
  ['goes on until its time is up', ERASING_SECONDS * 1000 - 1, 2 * ERASURES_AT_ONCE],
  ['begins no other when its time is up', ERASING_SECONDS * 1000, ERASURES_AT_ONCE],
])('a run %s', async (_, milliseconds, erased) => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(5_000_000);
  let asked = 0;
  const { run, removed } = listOf(due(2 * ERASURES_AT_ONCE), () => {
    asked += 1;
    if (asked === ERASURES_AT_ONCE) now.mockReturnValue(5_000_000 + milliseconds);
    return undefined;
  });
  await run();
  expect(removed).toHaveLength(erased);
});
