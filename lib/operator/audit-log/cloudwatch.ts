import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';

/** Maximum number of lines in one call of PutLogEvents (API reference of CloudWatch Logs). */
const BATCH_LINES = 10_000;
/** Maximum size of one call of PutLogEvents in bytes. */
const BATCH_BYTES = 1_048_576;
/** Overhead in bytes that CloudWatch Logs counts for each line, in addition to the line itself. */
const BYTES_BESIDE_LINE = 26;

export interface OperatorLog {
  /**
   * Writes lines to the log. Lines must be plain ASCII, because their length is counted in bytes.
   * @throws Error if the log does not accept every line.
   */
  write(lines: readonly string[]): Promise<void>;
}

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** Splits lines into batches that each fit into one call. */
export function splitIntoBatches(lines: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const size = line.length + BYTES_BESIDE_LINE;
    const last = batches.at(-1);
    if (last && last.length < BATCH_LINES && bytes + size <= BATCH_BYTES) {
      last.push(line);
      bytes += size;
    } else {
      batches.push([line]);
      bytes = size;
    }
  }
  return batches;
}

/** Opens the audit log of an environment's operators, which has one stream per day. */
export function operatorLog(logGroupName: string): OperatorLog {
  const client = new CloudWatchLogsClient(CALL_SETTINGS);

  async function put(lines: readonly string[]): Promise<void> {
    const timestamp = Date.now();
    const stream = { logGroupName, logStreamName: new Date(timestamp).toISOString().slice(0, 10) };
    const command = new PutLogEventsCommand({
      ...stream,
      logEvents: lines.map((message) => ({ timestamp, message })),
    });
    const answer = await client.send(command).catch(async (error: unknown) => {
      if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      // The stream of the day does not exist yet. Another command may be creating it at the same time.
      await client.send(new CreateLogStreamCommand(stream)).catch((refusal: unknown) => {
        if (!isNamed(refusal, 'ResourceAlreadyExistsException')) throw refusal;
      });
      return client.send(command);
    });
    if (answer.rejectedLogEventsInfo) throw new Error('CloudWatch Logs refused lines because of their time.');
  }

  return {
    async write(lines) {
      for (const batch of splitIntoBatches(lines)) await put(batch);
    },
  };
}
