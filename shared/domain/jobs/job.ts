// Jobs: work that may outlast the request that starts it. The request stores a job, marks the record and begins the work. When
// the time of the request is up, a worker continues after the last page whose completion was stored. A crash repeats at most
// one page, so each page can be processed twice.
import { ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { inBatches } from '../basis/await-all.ts';
import { JOB_TAKEOVER_SECONDS, LIST_LIMIT_MAX, PARALLEL_WRITES } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';

/** Time limit of paginated work: its start in epoch seconds, and a function that returns true if there is time for a page. */
export interface TimeLimit {
  readonly at: number;
  readonly isTimeLeft: () => boolean;
}

const MILLISECONDS = 1000;

export function limitSeconds(seconds: number): TimeLimit['isTimeLeft'] {
  const end = performance.now() + seconds * MILLISECONDS;
  return () => performance.now() < end;
}

/**
 * Returns the time limit for work during an HTTP request, which must end long before the gateway times out.
 * @param at Epoch seconds of the request
 */
export const withinCallTime = (at: number, seconds: number): TimeLimit => ({
  at,
  isTimeLeft: limitSeconds(seconds),
});

/** Returns a time limit that never expires. */
export const withoutTimeLimit = (at: number): TimeLimit => ({ at, isTimeLeft: () => true });

/** Creates a job. The worker takes over the job only after the latest possible end of the request that created it. */
export const newJob = (
  kind: Job['kind'],
  { tenantId }: Pick<Tenant, 'tenantId'>,
  subjectId: string,
  at: number,
): Job => ({ jobId: newId(), kind, tenantId, subjectId, dueAt: at + JOB_TAKEOVER_SECONDS, done: 0 });

export interface Pages<T> {
  readonly list: (page: PageRequest) => Promise<Page<T>>;
  readonly act: (items: readonly T[]) => Promise<unknown>;
}

/** Function that reads one page of a list and returns, for each item, a function that removes it. */
export type Removals = (page: PageRequest) => Promise<Page<() => Promise<unknown>>>;

export const removals =
  <T>(list: Pages<T>['list'], remove: (item: T) => Promise<unknown>): Removals =>
  async (page) => {
    const { items, ...rest } = await list(page);
    return { items: items.map((item) => () => remove(item)), ...rest };
  };

/** Combines several lists into one. A cursor contains the index of a list and the cursor within that list. */
export const concatenateLists = (lists: readonly Removals[]): Pages<() => Promise<unknown>> => ({
  async list({ limit, cursor = '0' }) {
    const [, number = '', place] = /^(\d+)(?: (.*))?$/s.exec(cursor) ?? [];
    const at = Number(number);
    const page = await lists[at]?.({ limit, ...(place !== undefined && { cursor: place }) });
    const after = page?.nextCursor === undefined ? undefined : `${at} ${page.nextCursor}`;
    const next = after ?? (at + 1 < lists.length ? String(at + 1) : undefined);
    return { items: page?.items ?? [], ...(next !== undefined && { nextCursor: next }) };
  },
  act: (all) => inBatches(all, PARALLEL_WRITES, (remove) => remove()),
});

export type JobPorts = PortsWith<'jobs.note' | 'jobs.remove'>;

/** Processes the remaining pages of a job. Returns false if the time is up before the last page. */
export async function processJobPages<T>(
  ports: JobPorts,
  job: Job,
  { isTimeLeft }: TimeLimit,
  { list, act }: Pages<T>,
): Promise<boolean> {
  let { cursor, done } = job;
  do {
    const page = await list({ limit: LIST_LIMIT_MAX, ...(cursor !== undefined && { cursor }) });
    await act(page.items);
    done += page.items.length;
    cursor = page.nextCursor;
    if (cursor === undefined) return true;
    await ports.jobs.note(job, { cursor, done });
  } while (isTimeLeft());
  return false;
}

/**
 * Runs the work of a job and removes the job once the work is complete. Returns false if work remains. Also returns false if
 * the service becomes unavailable after the time is up, because the worker continues the stored job.
 */
export async function runJob(
  ports: PortsWith<'jobs.remove'>,
  job: Job,
  { isTimeLeft }: TimeLimit,
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (!(await work())) return false;
    await ports.jobs.remove(job);
    return true;
  } catch (error) {
    if (isTimeLeft() || !(error instanceof ServiceError) || error.key !== 'service_unavailable') throw error;
    return false;
  }
}
