import type { COUNTED } from '../records/statistics.ts';

/** Counted by the forwarder of events, and by no request. */
export type Counts = Record<(typeof COUNTED)[number], number>;

/** `at`: the beginning of the quarter of an hour, epoch seconds. */
export interface CountedQuarter extends Counts {
  readonly at: number;
}

export interface Statistics {
  /**
   * Adds what a batch of events counts for a tenant in a quarter of an hour. `batch` is a hash of it, base64url. Of one batch that comes
   * several times, also at once, one counts.
   */
  count(
    of: { readonly tenantId: string; readonly quarter: number; readonly batch: string },
    counts: Partial<Counts>,
  ): Promise<void>;
  /** The parts of all quarters that begin at `since` or later, in no order. Eventually consistent. */
  list(tenantId: string, since: number, quarters: number): Promise<readonly CountedQuarter[]>;
}
