import type { COUNTED, COUNTED_BY_APPLICATION } from '../records/statistics.ts';

/** Event counts by type. Requests do not count events; only the function that forwards events does. */
export type Counts = Record<(typeof COUNTED)[number], number>;

/** Event counts of one application. */
export type ApplicationCounts = Record<(typeof COUNTED_BY_APPLICATION)[number], number>;

/** Event counts of a 15-minute interval. `at` is the start of the interval in epoch seconds. */
export interface CountedQuarter extends Counts {
  readonly at: number;
  /** Counts by application ID. */
  readonly applications: ReadonlyMap<string, ApplicationCounts>;
}

export interface Statistics {
  /**
   * Adds the counts of one batch of events that a tenant had in a 15-minute interval. `batch` is a hash of the batch,
   * base64url. A batch that is delivered several times, even concurrently, is counted once. An interval has room for a limited
   * number of applications. The counts of other applications are dropped.
   */
  count(
    of: { readonly tenantId: string; readonly quarter: number; readonly batch: string },
    counts: Partial<Counts>,
    applications: ReadonlyMap<string, Partial<ApplicationCounts>>,
  ): Promise<void>;
  /** Lists the counts per shard and quarter-hour from `since` on, in no particular order. The read is eventually consistent. */
  list(tenantId: string, since: number, quarters: number): Promise<readonly CountedQuarter[]>;
}
