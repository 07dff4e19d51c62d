/** How often something happened lately: counters of quotas, in buckets of time. */

export interface SendWindow {
  readonly seconds: number;
  readonly max: number;
  /** Counts the events of this part of the key alone, such as those of one network. */
  readonly of?: string;
}

/** How many events of a key may stand unpaid while its longest window lasts. */
export interface UnpaidLimit {
  readonly max: number;
  /** Beyond `max`, as many events are still admitted to each bucket of the first window: what heals pays for more. */
  readonly probes: number;
}

export type WindowOutcome =
  | {
      readonly admitted: true;
      /** This was the last one admitted. */
      readonly exhausted: boolean;
      /** How full the fullest window is with it: above 0, at most 1. */
      readonly fill: number;
      /** See `WindowRecords.announce`. */
      readonly announced?: true;
    }
  | {
      readonly admitted: false;
      readonly retryAfterSeconds: number;
      /** No window is full: too many events stand unpaid. */
      readonly unpaid?: true;
      readonly announced?: true;
    };

export interface Windows {
  /**
   * Counts one event in every window of the key at once, or in none. Of many callers at most `max` are admitted to a
   * window. Windows are aligned to multiples of their length; the last one is the longest, the others divide it. With
   * `unpaid` the event counts as unpaid too, by the same write. Not repeated after a time-out.
   */
  count(
    key: string,
    windows: readonly SendWindow[],
    at: number,
    unpaid?: UnpaidLimit,
  ): Promise<WindowOutcome>;
  /**
   * Takes so many unpaid events off the key; nothing when there are fewer, which prevents payment in advance.
   * `longestSeconds` is the length of its last window. Not repeated after a time-out.
   */
  pay(key: string, longestSeconds: number, events: number, at: number): Promise<void>;
  /** Takes one counted event back, out of every window: it did not come about. Not repeated after a time-out. */
  takeBack(key: string, windows: readonly SendWindow[], at: number): Promise<void>;
}

/** Windows in administration. */
export interface WindowRecords {
  /**
   * Forgets what was counted for these keys, at most 50, and deletes only what is there. `longestSeconds` is that of their last
   * window.
   */
  forget(keys: readonly string[], longestSeconds: number, at: number): Promise<void>;
  /** What is counted now in each of the windows, which are those that `count` has. */
  counted(key: string, windows: readonly SendWindow[], at: number): Promise<readonly number[]>;
  /**
   * Tells every count of the key, in the window of `at` and in the next two, that the record behind the key changes: what a
   * function remembers of it may be old, for a window after the change. Clocks may differ by a minute. `seconds` is the length
   * of its only window.
   */
  announce(key: string, seconds: number, at: number): Promise<void>;
}
