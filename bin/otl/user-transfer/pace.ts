/** Limits the rows on their way: the operator's limit, fewer while the tables are busy. */
export interface Pace {
  /** Waits for room for one more row. */
  enter(): Promise<void>;
  leave(): void;
  /** Waits until none is left. */
  empty(): Promise<void>;
  /** A row went through. */
  wentThrough(): void;
  /** A call was throttled, or not answered. */
  wasBusy(): void;
  limit(): number;
}

const HALVED_AT_MOST_EVERY_MILLISECONDS = 1000;

/**
 * Additive increase, multiplicative decrease, as TCP does (RFC 5681 §3.1): half as many when the tables are busy, and one
 * more for each full round that went through. Those that were on their way together complain together: that counts once.
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
    wentThrough() {
      through += 1;
      if (through < limit) return;
      through = 0;
      limit = Math.min(most, limit + 1);
    },
    wasBusy() {
      through = 0;
      if (clock() - halvedAt < HALVED_AT_MOST_EVERY_MILLISECONDS) return;
      halvedAt = clock();
      limit = Math.max(1, Math.floor(limit / 2));
    },
    limit: () => limit,
  };
}
