// Operator audit log of a command that changes something. The first line says that the command has begun; if the log does not
// accept this line, nothing is changed. The last line has the result and the events. A crash can lose only the last line, so
// every change has at least one line.

import { setTimeout as wait } from 'node:timers/promises';
import { type OperatorCommand, operatorLine } from '../../../lib/operator/audit-log/line.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { AuditContext } from '../../../shared/operation.ts';
import type { AuditEvent } from '../../../shared/ports/audit.ts';
import type { Target } from '../target/target.ts';
import { describeError, RefusedError, UnloggedError, UsageError } from '../terminal/failure.ts';

/** Number of queued lines that triggers an immediate write. */
const QUEUED_LINES_MAX = 500;
/** Longest time in milliseconds that a queued line waits for further lines. */
const QUEUE_DELAY_MS = 200;

/**
 * Identification of an audit line about one of the many records that a command changes. If a run is interrupted, a later run
 * can log the same record with the `requestId` and row number of that run, so that both lines describe the same event.
 */
interface RowOfCommand {
  readonly requestId: string;
  readonly row: number;
  /** Time when the record was changed, in epoch seconds; absent if it is now. */
  readonly at?: number;
}

export interface AuditLog {
  /** Adds context, such as a user ID, to the last audit line of the command. */
  add(context: AuditContext): void;
  /** Queues an audit line about one of the many records that a command changes. Queued lines are written in batches. */
  addRow(row: RowOfCommand, result: string, context: AuditContext, events: readonly AuditEvent[]): void;
  /** Resolves once the log has accepted all lines that are queued at the time of the call. */
  written(): Promise<void>;
  /** ID that all audit lines of one run of a command share. */
  readonly requestId: string;
  /**
   * Writes the last line of the command.
   * @param events Audit events of the command.
   * @throws `UnloggedError` if the log does not accept the line. The change itself is not undone.
   */
  end(result: string, events: readonly AuditEvent[]): Promise<void>;
}

/** Returns the audit result for an error: its key, `refused`, or `unknown` if it is not clear whether the change was made. */
export function toAuditResult(error: unknown): string {
  if (error instanceof ServiceError) return error.key;
  return error instanceof UsageError || error instanceof RefusedError ? 'refused' : 'unknown';
}

const SENTENCES: Readonly<Record<string, string>> = {
  ResourceNotFoundException:
    'the log group of operators does not exist. Deploy the environment to create it.',
  AccessDeniedException:
    'these AWS credentials need logs:CreateLogStream and logs:PutLogEvents on the log group of operators.',
};

/** Returns a sentence that says why the operator audit log did not accept a line. */
const describeRefusal = (error: unknown): string =>
  SENTENCES[error instanceof Error ? error.name : ''] ?? describeError(error);

function mergeContexts(context: AuditContext, more: AuditContext): AuditContext {
  const events = [...(context.events ?? []), ...(more.events ?? [])];
  return { ...context, ...more, ...(events.length === 0 ? {} : { events }) };
}

/**
 * Writes the first audit line, before the command changes anything.
 * @throws `RefusedError` if the log does not accept the line
 */
export async function beginAudit(
  { log, operator }: Pick<Target, 'log' | 'operator'>,
  name: string,
  given: AuditContext,
): Promise<AuditLog> {
  const startedAt = Date.now();
  let context = given;
  let waiting: string[] = [];
  let command: OperatorCommand;
  try {
    command = { name, requestId: newId(), operator: await operator() };
    await log.write([operatorLine(command, { result: 'begun', context })]);
  } catch (error) {
    throw new RefusedError(
      `Nothing was changed, because the operator audit log accepts no lines: ${describeRefusal(error)}`,
    );
  }

  let turn = Promise.resolve();
  let soon: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    await log.write(lines).catch((error: unknown) => {
      waiting = [...lines, ...waiting];
      throw new RefusedError(`The operator audit log accepts no lines: ${describeRefusal(error)}`);
    });
  }

  /** Writes the queued audit lines once the previous write has ended, so that the lines stay in order. */
  function flush(): Promise<void> {
    turn = turn.catch(() => undefined).then(writeWaiting);
    return turn;
  }

  return {
    requestId: command.requestId,
    add(more) {
      context = mergeContexts(context, more);
    },
    addRow({ requestId, row, at }, result, about, events) {
      const { tenantId } = context;
      const fields = { ...(tenantId === undefined ? {} : { tenantId }), ...about };
      waiting.push(
        operatorLine(
          { ...command, requestId: `${requestId}/${row}` },
          { result, context: fields, events, ...(at === undefined ? {} : { at }) },
        ),
      );
    },
    written() {
      if (waiting.length === 0) return turn;
      if (waiting.length >= QUEUED_LINES_MAX) return flush();
      soon ??= wait(QUEUE_DELAY_MS).then(() => {
        soon = undefined;
        return flush();
      });
      return soon;
    },
    async end(result, events) {
      const durationMs = Date.now() - startedAt;
      waiting.push(operatorLine(command, { result, context, events, durationMs }));
      await flush().catch((error: unknown) => {
        throw new UnloggedError(
          `The change was made, but the operator audit log has only its first line (request_id ${command.requestId}). ${describeError(error)}`,
        );
      });
    },
  };
}
