import { afterEach, expect, jest, test } from '@jest/globals';
import { create } from '../../../functions/events/jobs.ts';
import { JOBS_AT_ONCE, JOBS_RUN_SECONDS, LIST_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import type { Job } from '../../../shared/ports/jobs.ts';
import type { someTenant } from '../../support/server/records.ts';

type Ports = Parameters<typeof create>[0];

const due = (count: number): Job[] =>
  Array.from({ length: count }, (_, n) => ({
    jobId: `e${n}`,
    kind: 'erase-user',
    tenantId: 't',
    subjectId: `u${n}`,
    dueAt: 1,
    done: 0,
  }));

/** Creates ports with a list of due jobs. The ports record which jobs were removed and which pages of the list were read. */
function createJobList(all: readonly Job[], tenant: () => ReturnType<typeof someTenant> | undefined) {
  const [removed, pages]: [string[], unknown[]] = [[], []];
  const ports = {
    tenants: { find: async () => tenant() },
    jobs: {
      list: async (page: { limit: number; cursor?: string }) => {
        pages.push(page);
        const from = Number(page.cursor ?? 0);
        const next = from + page.limit;
        return { items: all.slice(from, next), ...(next < all.length && { nextCursor: String(next) }) };
      },
      remove: async ({ subjectId, jobId }: Job) => {
        removed.push(`${subjectId} ${jobId}`);
        return true;
      },
    },
  } as unknown as Ports;
  return { run: () => create(ports, {})({}), removed, pages };
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('the job worker removes all jobs of a deleted tenant', async () => {
  const { run, removed, pages } = createJobList(due(LIST_LIMIT_MAX + 1), () => undefined);
  await run();
  expect(removed).toHaveLength(LIST_LIMIT_MAX + 1);
  expect(removed).toEqual(expect.arrayContaining(['u0 e0', `u${LIST_LIMIT_MAX} e${LIST_LIMIT_MAX}`]));
  expect(pages).toEqual([
    { limit: LIST_LIMIT_MAX },
    { limit: LIST_LIMIT_MAX, cursor: String(LIST_LIMIT_MAX) },
  ]);
});

test('a failing job does not prevent other jobs from running', async () => {
  let asked = 0;
  const { run, removed } = createJobList(due(3), () => {
    asked += 1;
    if (asked === 2) throw new Error('the second');
    return undefined;
  });
  await expect(run()).rejects.toThrow('the second');
  expect(removed).toEqual(['u0 e0', 'u2 e2']);
});

test.each([
  ['starts further jobs before its time limit', JOBS_RUN_SECONDS * 1000 - 1, 2 * JOBS_AT_ONCE],
  ['starts no further job after its time limit', JOBS_RUN_SECONDS * 1000, JOBS_AT_ONCE],
])('the job worker %s', async (_, milliseconds, erased) => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(5_000_000);
  let asked = 0;
  const { run, removed } = createJobList(due(2 * JOBS_AT_ONCE), () => {
    asked += 1;
    if (asked === JOBS_AT_ONCE) now.mockReturnValue(5_000_000 + milliseconds);
    return undefined;
  });
  await run();
  expect(removed).toHaveLength(erased);
});
