// Quota counters: the number of recent events in fixed time windows.

export interface QuotaWindow {
  readonly seconds: number;
  readonly max: number;
  /** Part of the key, such as one network, whose events this window counts. By default it counts all events of the key. */
  readonly subKey?: string;
}

/** Limit on a key's unpaid events during its longest window. An event is unpaid until `pay` subtracts it. */
export interface UnpaidLimit {
  readonly max: number;
  /** Number of events above `max` that each bucket of the first window still admits, so that successful events can pay. */
  readonly probes: number;
}

export type WindowOutcome =
  | {
      readonly admitted: true;
      /** True if this was the last event that the windows admit. */
      readonly exhausted: boolean;
      /** Fill level of the fullest window after this event, above 0 and at most 1. */
      readonly fill: number;
      /** True if a change of the record behind the key was announced with `WindowRecords.announce`. */
      readonly announced?: true;
    }
  | {
      readonly admitted: false;
      readonly retryAfterSeconds: number;
      /** True if no window is full, but the event was rejected because too many events are unpaid. */
      readonly unpaid?: true;
      readonly announced?: true;
    };

export interface Windows {
  /**
   * Counts an event in all windows of the key or in none. A window admits at most `max` events, even with concurrent callers.
   * Windows begin at multiples of their length; the last window is the longest, and the lengths of the others divide it. With
   * `unpaid`, the same write also counts the event as unpaid. Not retried after a time-out.
   */
  count(
    key: string,
    windows: readonly QuotaWindow[],
    at: number,
    unpaid?: UnpaidLimit,
  ): Promise<WindowOutcome>;
  /**
   * Subtracts unpaid events from the key. Does nothing if the key has fewer unpaid events, so that nothing is paid in advance.
   * `longestSeconds` is the length of the key's last window. Not retried after a time-out.
   */
  pay(key: string, longestSeconds: number, events: number, at: number): Promise<void>;
  /** Removes an event that did not happen from every window in which it was counted. Not retried after a time-out. */
  takeBack(key: string, windows: readonly QuotaWindow[], at: number): Promise<void>;
}

/** Administration of quota counters. */
export interface WindowRecords {
  /** Deletes the counts of the given keys (at most 50; existing items only). `longestSeconds` is the last window's length. */
  forget(keys: readonly string[], longestSeconds: number, at: number): Promise<void>;
  /** Returns the current count of each window. The windows must be the windows that `count` uses. */
  counted(key: string, windows: readonly QuotaWindow[], at: number): Promise<readonly number[]>;
  /**
   * Announces that the record behind the key changes. Each count of the key in the current and the next two windows returns the
   * announcement; functions may use cached copies for one window longer. Clocks may differ by a minute. `seconds` is the length
   * of the only window.
   */
  announce(key: string, seconds: number, at: number): Promise<void>;
}
