import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const KEPT_LINES = 1000;

export interface LogLines {
  /** Those after the first `count` lines of this server, as far as they are kept; `next` is the count for the next call. */
  after(count: number): { readonly lines: readonly unknown[]; readonly next: number };
  close(): void;
}

/** The last lines of the log, for `otl logs tail`. */
export function keepLogLines(): LogLines {
  const kept: string[] = [];
  let written = 0;
  const hear = (line: unknown) => {
    const text = String(line);
    if (text.startsWith('{"level":"debug"')) return;
    written += 1;
    kept.push(text);
    if (kept.length > KEPT_LINES) kept.shift();
  };
  subscribe('otl:log', hear);
  return {
    after(count) {
      const first = Math.max(0, count - (written - kept.length));
      return { lines: kept.slice(first).map((text): unknown => JSON.parse(text)), next: written };
    },
    close: () => void unsubscribe('otl:log', hear),
  };
}
