// Quota counters: the number of recent events in fixed time windows.

export interface QuotaWindow {
  readonly seconds: number;
  readonly max: number;
  /**
   * Restricts the count to events with this part of the rate limit's key, such as a network. By default, all events of the key
   * are counted.
   */
  readonly subKey?: string;
}

/**
 * Limit on unconfirmed events of a key in its longest rate-limit window. An event is unconfirmed until `confirm` subtracts it,
 * for example because a sent code was entered.
 */
export interface UnconfirmedLimit {
  readonly max: number;
  /**
   * Number of events in each period of the first window that are admitted even if `max` is reached. These events can still be
   * confirmed, which lowers the number of unconfirmed events again.
   */
  readonly probes: number;
}

export type WindowOutcome =
  | {
      readonly admitted: true;
      /** True if this was the last event that the rate-limit windows admit. */
      readonly exhausted: boolean;
      /** Fill level of the fullest rate-limit window after this event, above 0 and at most 1. */
      readonly fill: number;
      /** True if `WindowRecords.announce` was called for this key, because the record that the key identifies is changing. */
      readonly announced?: true;
    }
  | {
      readonly admitted: false;
      readonly retryAfterSeconds: number;
      /** True if no rate-limit window is full, but the limit on unconfirmed events (`UnconfirmedLimit`) rejected the event. */
      readonly unconfirmed?: true;
      readonly announced?: true;
    };

export interface Windows {
  /**
   * Counts an event in all rate-limit windows of the key or in none. A window admits at most `max` events, even with concurrent
   * callers. Windows begin at multiples of their length. The last window is the longest, and its length is a multiple of the
   * other lengths. With `unconfirmed`, the same write also counts the event as unconfirmed. Does not retry after a time-out.
   */
  count(
    key: string,
    windows: readonly QuotaWindow[],
    at: number,
    unconfirmed?: UnconfirmedLimit,
  ): Promise<WindowOutcome>;
  /**
   * Confirms `events` events of the key, which then no longer count as unconfirmed. Does nothing if the key has fewer
   * unconfirmed events, so that events cannot be confirmed in advance. `longestSeconds`: length of the longest window. Does not
   * retry after a time-out.
   */
  confirm(key: string, longestSeconds: number, events: number, at: number): Promise<void>;
  /** Removes an event that did not happen from each rate-limit window that counted it. Does not retry after a time-out. */
  uncount(key: string, windows: readonly QuotaWindow[], at: number): Promise<void>;
}

/** Rate-limit counters as administration uses them: to clear them, read them, or announce a change. */
export interface WindowRecords {
  /** Deletes the counts of the given keys (at most 50; existing items only). `longestSeconds`: length of the longest window. */
  forget(keys: readonly string[], longestSeconds: number, at: number): Promise<void>;
  /** Returns the current count of each given rate-limit window. Pass the windows with which `count` was called. */
  counted(key: string, windows: readonly QuotaWindow[], at: number): Promise<readonly number[]>;
  /**
   * Announces that the record behind the key changes. In the current and the next two windows, every `count` of the key returns
   * the announcement. Two more windows are necessary because functions may use a cached record for one window, and clocks may
   * differ by a minute. `seconds` is the length of the key's only window.
   */
  announce(key: string, seconds: number, at: number): Promise<void>;
}
