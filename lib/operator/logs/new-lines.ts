import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** Source of log lines. Each call of `read` returns the lines that no earlier call has returned, oldest first. */
export interface NewLines {
  read(): Promise<readonly LogLine[]>;
  /** Time in milliseconds to wait between two calls of `read`. */
  readonly pauseMs: number;
}

const QUERY_PAUSE_MS = 500;
/** Time in seconds that CloudWatch may take to index a written line. Consecutive queries overlap by this time. */
const LATE_SECONDS = 60;
const LINES_MAX = 10_000;

function parsed(message: string): LogLine | undefined {
  try {
    return JSON.parse(message) as LogLine;
  } catch {
    return undefined;
  }
}

/** Pattern of the request IDs of API Gateway and function URLs. The ID becomes part of a query, so other texts are rejected. */
export const REQUEST_ID = /^[\w+/=-]{8,64}$/;

/**
 * Reads the log lines of all functions of an environment. One query covers all log groups with a prefix, because each function
 * has its own log group and CloudFormation begins the name of a log group with the name of its stack.
 * @param requestId Restricts the lines to one request.
 */
export function deployedLines(
  region: string,
  prefix: string,
  sinceSeconds: number,
  requestId?: string,
): NewLines {
  const ofRequest = requestId === undefined ? '' : ` and request_id = "${requestId}"`;
  const client = new CloudWatchLogsClient({ ...CALL_SETTINGS, region });
  const seen = new Set<string>();
  let from = sinceSeconds;

  async function query(startTime: number, endTime: number) {
    const queryString = `SOURCE logGroups(namePrefix: ['${prefix}-']) | fields @message | filter ispresent(event)${ofRequest} | sort @timestamp asc | limit ${LINES_MAX}`;
    const { queryId } = await client.send(new StartQueryCommand({ queryString, startTime, endTime }));
    for (;;) {
      const { status, results } = await client.send(new GetQueryResultsCommand({ queryId }));
      if (status === 'Complete') return results ?? [];
      if (status !== 'Running' && status !== 'Scheduled')
        throw new Error(`The log query ended with the status ${status}.`);
      await pause(QUERY_PAUSE_MS);
    }
  }

  return {
    pauseMs: 5000,
    async read() {
      const now = Math.floor(Date.now() / 1000);
      const rows = await query(from, now);
      from = Math.max(from, now - LATE_SECONDS);
      return rows.flatMap((row) => {
        const [pointer = '', message = ''] = ['@ptr', '@message'].map(
          (name) => row.find(({ field }) => field === name)?.value,
        );
        const line = seen.has(pointer) ? undefined : parsed(message);
        seen.add(pointer);
        return line === undefined ? [] : [line];
      });
    },
  };
}

/** Reads the log lines of a local server. */
export function localLines(endpoint: string, sinceSeconds: number, requestId?: string): NewLines {
  let after = 0;
  return {
    pauseMs: 500,
    async read() {
      const answer = await fetch(`${endpoint}/_local/log?after=${after}`);
      const { lines, next } = (await answer.json()) as {
        readonly lines: readonly LogLine[];
        readonly next: number;
      };
      after = next;
      return lines.filter(
        ({ time, request_id }) =>
          Date.parse(String(time)) >= sinceSeconds * 1000 &&
          (requestId === undefined || request_id === requestId),
      );
    },
  };
}
