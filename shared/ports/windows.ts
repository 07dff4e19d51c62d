// Counters of quotas: how often something happened recently, in fixed time windows.

export interface QuotaWindow {
  readonly seconds: number;
  readonly max: number;
  /** Part of the key, such as one network, whose events this window counts. Absent: it counts all events of the key. */
  readonly subKey?: string;
}

/** Limit for a key's unpaid events during its longest window. An event stays unpaid until `pay` removes it. */
export interface UnpaidLimit {
  readonly max: number;
  /** Number of events that each bucket of the first window still admits above `max`, so that successful ones can pay. */
  readonly probes: number;
}

export type WindowOutcome =
  | {
      readonly admitted: true;
      /** True if this was the last event that the windows admit. */
      readonly exhausted: boolean;
      /** Fill level of the fullest window after this event: above 0, at most 1. */
      readonly fill: number;
      /** True if a change of the record behind the key was announced; see `WindowRecords.announce`. */
      readonly announced?: true;
    }
  | {
      readonly admitted: false;
      readonly retryAfterSeconds: number;
      /** True if no window is full and the event was refused because too many events are unpaid. */
      readonly unpaid?: true;
      readonly announced?: true;
    };

export interface Windows {
  /**
   * Counts an event in all windows of the key or in none. At most `max` concurrent callers are admitted to a window. Windows
   * begin at multiples of their length; the last one is the longest, the others divide it. `unpaid` also counts the event as
   * unpaid in the same write. Not retried after a time-out.
   */
  count(
    key: string,
    windows: readonly QuotaWindow[],
    at: number,
    unpaid?: UnpaidLimit,
  ): Promise<WindowOutcome>;
  /**
   * Subtracts unpaid events from the key. Does nothing if there are fewer, so that nothing is paid in advance. `longestSeconds`
   * is the length of the key's last window. Not retried after a time-out.
   */
  pay(key: string, longestSeconds: number, events: number, at: number): Promise<void>;
  /** Takes an event that did not happen out of every window in which it was counted. Not retried after a time-out. */
  takeBack(key: string, windows: readonly QuotaWindow[], at: number): Promise<void>;
}

/** Counters of quotas for administration. */
export interface WindowRecords {
  /** Deletes the counts of these keys (at most 50, existing items only). `longestSeconds` is the length of the last window. */
  forget(keys: readonly string[], longestSeconds: number, at: number): Promise<void>;
  /** Returns the current count of each window. The windows must be those that `count` uses. */
  counted(key: string, windows: readonly QuotaWindow[], at: number): Promise<readonly number[]>;
  /**
   * Announces to each count of the key, in the current and the next two windows, that the record behind the key changes;
   * functions may use cached copies until one window later. Clocks may differ by a minute. `seconds` is the length of the only
   * window.
   */
  announce(key: string, seconds: number, at: number): Promise<void>;
}
