import { gunzipSync } from 'node:zlib';

/** The event of a CloudWatch Logs subscription: JSON, gzip, base64 ("Using subscription filters with Lambda"). */
export interface LogsEvent {
  readonly awslogs: { readonly data: string };
}

export type Line = Readonly<Record<string, unknown>>;

export interface LoggedLine {
  readonly line: Line;
  /** When CloudWatch took it: epoch milliseconds. */
  readonly at: number;
}

function parse(message: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(message);
    return typeof line === 'object' && line !== null ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** Skips lines of other origin, such as those with which CloudWatch tries its destination. */
export function linesOf({ awslogs }: LogsEvent): readonly LoggedLine[] {
  const batch = parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString());
  const logEvents = (batch?.logEvents ?? []) as readonly {
    readonly message: string;
    readonly timestamp: number;
  }[];
  return logEvents.flatMap(({ message, timestamp }) => {
    const line = parse(message);
    return line ? [{ line, at: timestamp }] : [];
  });
}
