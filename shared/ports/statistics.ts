import type { COUNTED } from '../records/statistics.ts';

/** Event counts by type. Requests do not count events; only the function that forwards events does. */
export type Counts = Record<(typeof COUNTED)[number], number>;

/** Event counts of a 15-minute interval. `at` is the start of the interval in epoch seconds. */
export interface CountedQuarter extends Counts {
  readonly at: number;
}

export interface Statistics {
  /**
   * Adds the counts of one batch of events that a tenant had in a 15-minute interval. `batch` is a hash of the batch,
   * base64url. A batch that is delivered several times, even concurrently, is counted once.
   */
  count(
    of: { readonly tenantId: string; readonly quarter: number; readonly batch: string },
    counts: Partial<Counts>,
  ): Promise<void>;
  /** Lists the counts per shard and quarter-hour from `since` on, in no particular order. The read is eventually consistent. */
  list(tenantId: string, since: number, quarters: number): Promise<readonly CountedQuarter[]>;
}
