import { formatLine, toLogFields } from '../../../shared/http/log.ts';
import type { AuditContext } from '../../../shared/operation.ts';
import type { AuditEvent } from '../../../shared/ports/audit.ts';

const MILLISECONDS = 1000;

/** Fields that all log lines of a command share. */
export interface OperatorCommand {
  /** Name of the command: `<group>/<verb>`. */
  readonly name: string;
  /** ID of this run of the command. In a line about one of many records, a slash and the number of the row are appended. */
  readonly requestId: string;
  /** ARN of the operator's AWS identity. With a local server, the user name on the developer's machine. */
  readonly operator: string;
}

export interface LineFacts {
  /** Result of the command: `begun`, `ok`, or the reason why it failed. */
  readonly result: string;
  readonly context: AuditContext;
  readonly events?: readonly AuditEvent[];
  readonly durationMs?: number;
  /** Time of the event in epoch seconds; absent if it is now. A repeated line with the same time describes the same event. */
  readonly at?: number;
}

/**
 * Formats a line of the operator audit log. The line has the fields of a request's log line (ASVS V16), and contains no secret
 * or address.
 */
export function operatorLine(
  { name, requestId, operator }: OperatorCommand,
  { result, context, events = [], durationMs, at }: LineFacts,
): string {
  const audit = [...new Set([...events, ...(context.events ?? [])])];
  return formatLine('info', {
    ...(at === undefined ? {} : { time: new Date(at * MILLISECONDS).toISOString() }),
    event: `otl/${name}`,
    section: 'operator',
    request_id: requestId,
    result,
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    operator,
    ...toLogFields(context),
    ...(audit.length === 0 ? {} : { audit }),
  });
}
