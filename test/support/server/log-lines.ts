import { subscribe, unsubscribe } from 'node:diagnostics_channel';

export type LogLine = Readonly<Record<string, unknown>>;

/** Returns the log lines of all levels that are written while `happening` runs. */
export async function logLines(happening: () => Promise<void>): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  const keep = (line: unknown) => void lines.push(JSON.parse(String(line)) as LogLine);
  subscribe('otl:log', keep);
  try {
    await happening();
  } finally {
    unsubscribe('otl:log', keep);
  }
  return lines;
}
