import { fieldsOf, lineOf } from '../../../shared/http/log.ts';
import type { AuditContext } from '../../../shared/operation.ts';
import type { AuditEvent } from '../../../shared/ports/audit.ts';

const MILLISECONDS = 1000;

/** A command that changes something: the fields that all of its lines share. */
export interface OperatorCommand {
  /** `<group>/<verb>`. */
  readonly name: string;
  /** Names the command in the log; for one of many records, followed by the number of its row. */
  readonly requestId: string;
  /** The ARN of the AWS credentials, or on a developer's machine the name of the user. */
  readonly operator: string;
}

export interface LineFacts {
  /** `begun`, `ok`, or why it failed. */
  readonly result: string;
  readonly context: AuditContext;
  readonly events?: readonly AuditEvent[];
  readonly durationMs?: number;
  /** When it happened, in epoch seconds, if not now: a line with the same time is the same event. */
  readonly at?: number;
}

/** A line of the operator audit log, with the fields of a request's line (ASVS V16). No secret and no address. */
export function operatorLine(
  { name, requestId, operator }: OperatorCommand,
  { result, context, events = [], durationMs, at }: LineFacts,
): string {
  const audit = [...new Set([...events, ...(context.events ?? [])])];
  return lineOf('info', {
    ...(at === undefined ? {} : { time: new Date(at * MILLISECONDS).toISOString() }),
    event: `otl/${name}`,
    section: 'operator',
    request_id: requestId,
    result,
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    operator,
    ...fieldsOf(context),
    ...(audit.length === 0 ? {} : { audit }),
  });
}
