import { subscribe, unsubscribe } from 'node:diagnostics_channel';

export type LogLine = Readonly<Record<string, unknown>>;

/** Returns the lines that are logged during a function, at any log level. */
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
