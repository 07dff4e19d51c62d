import type { AuditEvent, AuditNote } from '../../shared/audit.ts';
import { fieldsOf, lineOf } from '../../shared/http/log.ts';

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
  readonly note: AuditNote;
  readonly events?: readonly AuditEvent[];
  readonly durationMs?: number;
}

/** A line of the operator's log, with the fields that the line of a request has (ASVS V16). No secret and no address. */
export function operatorLine(
  { name, requestId, operator }: OperatorCommand,
  { result, note, events = [], durationMs }: OperatorAct,
): string {
  const audit = [...new Set([...events, ...(note.events ?? [])])];
  return lineOf('info', {
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
