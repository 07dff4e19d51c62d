import { ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { Using } from '../../ports/uses.ts';
import { inBatches } from '../basis/await-all.ts';
import { JOB_CALL_SECONDS, JOB_LEAD_SECONDS, LIST_LIMIT_MAX, PARALLEL_WRITES } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';

/**
 * Work that may not end within a call: a request stores a job, marks the record, and begins. When its time is over the worker goes
 * on behind the last page that was noted. Each page can be done twice, so a crash costs at most one.
 */

/** When work was asked for, and whether there is time for its next page. */
export interface Pace {
  readonly at: number;
  readonly isTimeLeft: () => boolean;
}

const MILLISECONDS = 1000;

export function forSeconds(seconds: number): Pace['isTimeLeft'] {
  const end = performance.now() + seconds * MILLISECONDS;
  return () => performance.now() < end;
}

/** For a request: its answer is due long before the gateway gives up. */
export const withinCall = (at: number): Pace => ({ at, isTimeLeft: forSeconds(JOB_CALL_SECONDS) });

/** For work that no clock ends. */
export const toTheEnd = (at: number): Pace => ({ at, isTimeLeft: () => true });

/** The worker takes it up when the call that begins it must be over. */
export const newJob = (
  kind: Job['kind'],
  { tenantId }: Pick<Tenant, 'tenantId'>,
  subjectId: string,
  at: number,
): Job => ({ jobId: newId(), kind, tenantId, subjectId, dueAt: at + JOB_LEAD_SECONDS, done: 0 });

export interface Pages<T> {
  readonly list: (page: PageRequest) => Promise<Page<T>>;
  readonly act: (items: readonly T[]) => Promise<unknown>;
}

/** Walks a list from `cursor` on; false when `goOn`, asked between two pages, ends it. */
export async function inPages<T>(
  { list, act }: Pages<T>,
  cursor?: string,
  goOn: (cursor: string, seen: number) => Promise<boolean> = async () => true,
): Promise<boolean> {
  let [next, seen] = [cursor, 0];
  do {
    const page = await list({ limit: LIST_LIMIT_MAX, ...(next !== undefined && { cursor: next }) });
    await act(page.items);
    seen += page.items.length;
    next = page.nextCursor;
  } while (next !== undefined && (await goOn(next, seen)));
  return next === undefined;
}

/** What removes each item of a page. */
export type Removals = (page: PageRequest) => Promise<Page<() => Promise<unknown>>>;

export const removals =
  <T>(list: Pages<T>['list'], remove: (item: T) => Promise<unknown>): Removals =>
  async (page) => {
    const { items, ...rest } = await list(page);
    return { items: items.map((item) => () => remove(item)), ...rest };
  };

/** Several lists as one: its cursors name a list and a place in it. */
export const oneAfterAnother = (lists: readonly Removals[]): Pages<() => Promise<unknown>> => ({
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

export type JobPorts = Using<'jobs.note' | 'jobs.remove'>;

/** Does what is left of the list of a job; false when the time is over. */
export const pagesOfJob = <T>(
  ports: JobPorts,
  job: Job,
  { isTimeLeft }: Pace,
  pages: Pages<T>,
): Promise<boolean> =>
  inPages(pages, job.cursor, async (cursor, seen) => {
    await ports.jobs.note(job, { cursor, done: job.done + seen });
    return isTimeLeft();
  });

/** Removes a job when `work` has ended; false when it has not. The job is stored: what finds no time left is no failure. */
export async function runJob(
  ports: Using<'jobs.remove'>,
  job: Job,
  { isTimeLeft }: Pace,
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
