import { gunzipSync } from 'node:zlib';

/** Event of a CloudWatch Logs subscription. Its data is gzipped JSON in Base64 ("Using subscription filters with Lambda"). */
export interface LogsEvent {
  readonly awslogs: { readonly data: string };
}

/** Fields of one log line, parsed from JSON and not validated. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface LoggedLine {
  readonly line: LogFields;
  /** Time at which CloudWatch received the line, in epoch milliseconds. */
  readonly at: number;
}

function parseObject(message: string): LogFields | undefined {
  try {
    const line: unknown = JSON.parse(message);
    return typeof line === 'object' && line !== null ? (line as LogFields) : undefined;
  } catch {
    return undefined;
  }
}

/** Unpacks the log lines of a subscription event. Skips lines that are not JSON objects, such as CloudWatch's test messages. */
export function readLines({ awslogs }: LogsEvent): readonly LoggedLine[] {
  const batch = parseObject(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString());
  const logEvents = (batch?.logEvents ?? []) as readonly {
    readonly message: string;
    readonly timestamp: number;
  }[];
  return logEvents.flatMap(({ message, timestamp }) => {
    const line = parseObject(message);
    return line ? [{ line, at: timestamp }] : [];
  });
}
