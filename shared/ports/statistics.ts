import type { COUNTED } from '../records/statistics.ts';

/** Numbers of events by type. Only the function that forwards events counts them, never a request. */
export type Counts = Record<(typeof COUNTED)[number], number>;

/** Counts of a quarter of an hour. `at` is its beginning in epoch seconds. */
export interface CountedQuarter extends Counts {
  readonly at: number;
}

export interface Statistics {
  /**
   * Adds the counts of a batch of events for a tenant in a quarter of an hour. `batch` is a hash of the batch, base64url. A
   * batch that is delivered several times, even concurrently, is counted once.
   */
  count(
    of: { readonly tenantId: string; readonly quarter: number; readonly batch: string },
    counts: Partial<Counts>,
  ): Promise<void>;
  /** Lists the partial counts of all quarters that begin at `since` or later, in no order. Eventually consistent. */
  list(tenantId: string, since: number, quarters: number): Promise<readonly CountedQuarter[]>;
}
