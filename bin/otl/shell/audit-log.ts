import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type OperatorCommand, operatorLine } from '../../../lib/operator/operator-log/line.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { AuditContext, AuditEvent } from '../../../shared/operation.ts';
import type { Call, Command, Noun, Outcome } from './command.ts';
import { RefusedError, UnloggedError, UsageError, wordsOf } from './failure.ts';
import type { Place } from './place.ts';

/*
 * What the log is told of a command that changes something. Before it does anything a line says that it has begun: without it
 * nothing is changed, and a command that is cut off has left a trace. The line after it has its result and its events. No
 * order of change and line could do without the first: one of two writes is always the one that a crash leaves out.
 */

/** Lines wait for others to be written with, so many or so long. */
const WAITING_MAX = 500;
const WAITING_MILLISECONDS = 200;

/** A record of many. Told under another command's name it is that command's: the same event, however often it is told. */
interface RowOfCommand {
  readonly requestId: string;
  readonly row: number;
  /** When the record was changed, in epoch seconds. */
  readonly at: number;
}

export interface Trail {
  /** Adds to what the last line will say. */
  note(note: AuditContext): void;
  /** A line of its own about one of many records, which waits for others to be written with. */
  noteRow(row: RowOfCommand, result: string, note: AuditContext, events: readonly AuditEvent[]): void;
  /** Settles when the log has taken the lines that were noted until now. */
  written(): Promise<void>;
  /** Names the command in the log. */
  readonly requestId: string;
  /**
   * The last line. `events`: what it means that the command went well. Errors: `UnloggedError`, which takes nothing back that
   * was done.
   */
  end(result: string, events: readonly AuditEvent[]): Promise<void>;
}

/** On a developer's machine; there may be no such user in a container. */
export function localOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The word of a failure in the log: of an error that nobody has foreseen nobody knows what was changed. */
export function resultOf(error: unknown): string {
  if (error instanceof ServiceError) return error.key;
  return error instanceof UsageError || error instanceof RefusedError ? 'refused' : 'unknown';
}

const SENTENCES: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'there is no log group of operators: deploy the environment, which makes it.',
  AccessDeniedException:
    'these AWS credentials need logs:CreateLogStream and logs:PutLogEvents on the log group of operators.',
};

/** Why the log took nothing. */
const reasonOf = (error: unknown): string =>
  SENTENCES[error instanceof Error ? error.name : ''] ?? wordsOf(error);

function merged(note: AuditContext, more: AuditContext): AuditContext {
  const events = [...(note.events ?? []), ...(more.events ?? [])];
  return { ...note, ...more, ...(events.length === 0 ? {} : { events }) };
}

/** Writes the first line. Errors: `RefusedError` when the log does not take it. */
export async function beginTrail(
  { log, operator }: Pick<Place, 'log' | 'operator'>,
  name: string,
  given: AuditContext,
): Promise<Trail> {
  const startedAt = Date.now();
  let note = given;
  let waiting: string[] = [];
  let command: OperatorCommand;
  try {
    command = { name, requestId: newId(), operator: await operator() };
    await log.write([operatorLine(command, { result: 'begun', note })]);
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

  /** One call after the other, so that lines stay in their order. */
  function flush(): Promise<void> {
    turn = turn.catch(() => undefined).then(writeWaiting);
    return turn;
  }

  return {
    requestId: command.requestId,
    note(more) {
      note = merged(note, more);
    },
    noteRow({ requestId, row, at }, result, about, events) {
      const { tenantId } = note;
      const fields = { ...(tenantId === undefined ? {} : { tenantId }), ...about };
      waiting.push(
        operatorLine({ ...command, requestId: `${requestId}/${row}` }, { result, note: fields, events, at }),
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
      waiting.push(operatorLine(command, { result, note, events, durationMs }));
      await flush().catch((error: unknown) => {
        throw new UnloggedError(
          `What was done is not in the log of operators, which has only that ${command.requestId} began. ${wordsOf(error)}`,
        );
      });
    },
  };
}

/** The record that a command names, and the tenant that it works in: what is known before it begins. */
async function begunBy(call: Call, noun: Noun): Promise<AuditContext> {
  const about = noun.about?.(call) ?? { recordId: call.id };
  return noun.ofNoTenant ? about : { ...about, tenantId: (await call.tenant()).tenantId };
}

/** Runs a command that changes something, with a line before and a line after it. */
export async function runWithTrail({
  place,
  noun,
  command,
  call,
  print,
  complain,
}: {
  readonly place: Place;
  readonly noun: Noun;
  readonly command: Command;
  readonly call: Call;
  readonly print: (outcome: Outcome) => void;
  readonly complain: (error: unknown) => void;
}): Promise<void> {
  const note = await begunBy(call, noun);
  const trail = await beginTrail(place, `${noun.name}/${command.verb}`, note);
  const outcome = await command.run({ ...call, trail, audit: trail.note }).catch(async (error: unknown) => {
    await trail.end(resultOf(error), []).catch(complain);
    throw error;
  });
  const { changes } = command;
  const events = changes === undefined || changes === 'noted' ? [] : [changes];
  const ended = await trail.end('ok', events).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  // What was made is shown in any case: a secret is seen this once.
  print(outcome);
  if (ended) throw ended.error;
}
