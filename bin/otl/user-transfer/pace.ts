/** Limit for the number of rows in progress. The operator sets the maximum; the limit is lower while the tables are busy. */
export interface Pace {
  /** Waits until the import of one more row may start. */
  enter(): Promise<void>;
  leave(): void;
  /** Waits until no row is in progress. */
  empty(): Promise<void>;
  /** Records that the import of a row succeeded, which may raise the limit. */
  recordSuccess(): void;
  /** Records that a call to AWS was throttled or got no response, which may lower the limit. */
  recordBusy(): void;
  limit(): number;
}

const HALVED_AT_MOST_EVERY_MILLISECONDS = 1000;

/**
 * Creates a limit with additive increase and multiplicative decrease, as in TCP (RFC 5681 §3.1). The limit is halved when the
 * tables are busy, and grows by one after each full round of successes. Rows that ran together fail together, so the limit is
 * halved at most once a second.
 */
export function createPace(most: number, clock: () => number = () => performance.now()): Pace {
  let limit = most;
  let under = 0;
  let through = 0;
  let halvedAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};

  async function wait(until: () => boolean): Promise<void> {
    while (!until())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }

  return {
    async enter() {
      await wait(() => under < limit);
      under += 1;
    },
    leave() {
      under -= 1;
      wake();
    },
    empty: () => wait(() => under === 0),
    recordSuccess() {
      through += 1;
      if (through < limit) return;
      through = 0;
      limit = Math.min(most, limit + 1);
    },
    recordBusy() {
      through = 0;
      if (clock() - halvedAt < HALVED_AT_MOST_EVERY_MILLISECONDS) return;
      halvedAt = clock();
      limit = Math.max(1, Math.floor(limit / 2));
    },
    limit: () => limit,
  };
}
