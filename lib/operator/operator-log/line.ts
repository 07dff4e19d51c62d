import type { AuditContext, AuditEvent } from '../../../shared/audit.ts';
import { fieldsOf, lineOf } from '../../../shared/http/log.ts';

const MILLISECONDS = 1000;

/** A command of an operator that changes something: what all of its lines have in common. */
export interface OperatorCommand {
  /** Noun and verb. */
  readonly name: string;
  /** Names the command in the log; of one of many records, with the number of its row. */
  readonly requestId: string;
  /** The ARN of the AWS credentials, or on a developer's machine the name of the user. */
  readonly operator: string;
}

export interface OperatorAct {
  /** `begun`, `ok`, or why it did not go well. */
  readonly result: string;
  readonly note: AuditContext;
  readonly events?: readonly AuditEvent[];
  readonly durationMs?: number;
  /** When it happened, in epoch seconds, where that is known better than by the line: told again it is the same event. */
  readonly at?: number;
}

/** A line of the operator's log, with the fields that the line of a request has (ASVS V16). No secret and no address. */
export function operatorLine(
  { name, requestId, operator }: OperatorCommand,
  { result, note, events = [], durationMs, at }: OperatorAct,
): string {
  const audit = [...new Set([...events, ...(note.events ?? [])])];
  return lineOf('info', {
    ...(at === undefined ? {} : { time: new Date(at * MILLISECONDS).toISOString() }),
    event: `otl/${name}`,
    section: 'operator',
    request_id: requestId,
    result,
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    operator,
    ...fieldsOf(note),
    ...(audit.length === 0 ? {} : { audit }),
  });
}
