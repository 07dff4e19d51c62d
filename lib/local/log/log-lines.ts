import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const KEPT_LINES = 1000;

export interface LogLines {
  /** Returns the stored lines after the first `count` lines of this server. `next` is the `count` for the next call. */
  after(count: number): { readonly lines: readonly unknown[]; readonly next: number };
  close(): void;
}

/** Stores the last 1,000 lines of the log in memory, for `otl logs tail`. */
export function collectLogLines(): LogLines {
  const kept: string[] = [];
  let written = 0;
  const onLogLine = (line: unknown) => {
    const text = String(line);
    if (text.startsWith('{"level":"debug"')) return;
    written += 1;
    kept.push(text);
    if (kept.length > KEPT_LINES) kept.shift();
  };
  subscribe('otl:log', onLogLine);
  return {
    after(count) {
      const first = Math.max(0, count - (written - kept.length));
      return { lines: kept.slice(first).map((text): unknown => JSON.parse(text)), next: written };
    },
    close: () => void unsubscribe('otl:log', onLogLine),
  };
}
