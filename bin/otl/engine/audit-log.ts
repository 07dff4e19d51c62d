import { setTimeout as wait } from 'node:timers/promises';
import { type OperatorCommand, operatorLine } from '../../../lib/operator/audit-log/line.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { AuditContext } from '../../../shared/operation.ts';
import type { AuditEvent } from '../../../shared/ports/audit.ts';
import type { Target } from '../target/target.ts';
import { RefusedError, UnloggedError, UsageError, wordsOf } from '../terminal/failure.ts';

/*
 * The operator audit log of a command that changes something. The first line says that the command has begun; if the log does
 * not take it, nothing changes. The last line has the result and the events. A crash can lose only one of two writes, so a
 * change without any line is impossible.
 */

/** Lines of rows are written in batches of so many, or after so long. */
const WAITING_MAX = 500;
const WAITING_MILLISECONDS = 200;

/** One of many records. A row with the `requestId` of an earlier command is the same event as that command's row. */
interface RowOfCommand {
  readonly requestId: string;
  readonly row: number;
  /** When the record was changed, in epoch seconds. */
  readonly at: number;
}

export interface AuditLog {
  /** Adds to the last line. */
  add(context: AuditContext): void;
  /** Adds a line about one of many records; lines wait and are written in batches. */
  addRow(row: RowOfCommand, result: string, context: AuditContext, events: readonly AuditEvent[]): void;
  /** Settles when the log has taken all lines added until now. */
  written(): Promise<void>;
  /** Names the command in the log. */
  readonly requestId: string;
  /**
   * Writes the last line. `events`: the events of the command. Errors: `UnloggedError`; the change itself stays.
   */
  end(result: string, events: readonly AuditEvent[]): Promise<void>;
}

/** The result in the log. `unknown`: after an unforeseen error the change may or may not have happened. */
export function resultOf(error: unknown): string {
  if (error instanceof ServiceError) return error.key;
  return error instanceof UsageError || error instanceof RefusedError ? 'refused' : 'unknown';
}

const SENTENCES: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'there is no log group of operators: deploy the environment, which makes it.',
  AccessDeniedException:
    'these AWS credentials need logs:CreateLogStream and logs:PutLogEvents on the log group of operators.',
};

/** Why the log took no line. */
const reasonOf = (error: unknown): string =>
  SENTENCES[error instanceof Error ? error.name : ''] ?? wordsOf(error);

function merged(context: AuditContext, more: AuditContext): AuditContext {
  const events = [...(context.events ?? []), ...(more.events ?? [])];
  return { ...context, ...more, ...(events.length === 0 ? {} : { events }) };
}

/** Writes the first line. Errors: `RefusedError` when the log does not take it. */
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
    throw new RefusedError(`Nothing was changed, for the log of operators takes no line: ${reasonOf(error)}`);
  }

  let turn = Promise.resolve();
  let soon: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    await log.write(lines).catch((error: unknown) => {
      waiting = [...lines, ...waiting];
      throw new RefusedError(`The log of operators takes no line: ${reasonOf(error)}`);
    });
  }

  /** One call after the other keeps lines in order. */
  function flush(): Promise<void> {
    turn = turn.catch(() => undefined).then(writeWaiting);
    return turn;
  }

  return {
    requestId: command.requestId,
    add(more) {
      context = merged(context, more);
    },
    addRow({ requestId, row, at }, result, about, events) {
      const { tenantId } = context;
      const fields = { ...(tenantId === undefined ? {} : { tenantId }), ...about };
      waiting.push(
        operatorLine(
          { ...command, requestId: `${requestId}/${row}` },
          { result, context: fields, events, at },
        ),
      );
    },
    written() {
      if (waiting.length === 0) return turn;
      if (waiting.length >= WAITING_MAX) return flush();
      soon ??= wait(WAITING_MILLISECONDS).then(() => {
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
          `What was done is not in the log of operators, which has only that ${command.requestId} began. ${wordsOf(error)}`,
        );
      });
    },
  };
}
