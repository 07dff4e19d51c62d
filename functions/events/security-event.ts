import { gunzipSync } from 'node:zlib';
import { isMessageEvent } from '../../shared/domain/support/message-events.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';

/** The event of a CloudWatch Logs subscription: JSON, gzip, base64 ("Using subscription filters with Lambda"). */
export interface LogsEvent {
  readonly awslogs: { readonly data: string };
}

/** Fields that an event takes over from its log line (shared/http/log.ts). None holds a secret or an address. */
const FIELDS = [
  ...['tenant_id', 'application_id', 'client_id', 'user_id', 'session_id', 'record_id', 'method', 'channel'],
  ...['result', 'status', 'request_id', 'source_address', 'device_id', 'user_agent', 'ip_address', 'browser'],
  ...['key_id', 'operator'],
] as const;

/** Those of an event of a message alone. */
const MESSAGE_FIELDS = [
  ...['sent', 'recipient', 'recipient_hash', 'message_id', 'refusal', 'provider_error', 'sms_parts'],
] as const;

type Line = Readonly<Record<string, unknown>>;

function parse(message: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(message);
    return typeof line === 'object' && line !== null ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

function eventsOfLine(line: Line): readonly SecurityEvent[] {
  const { audit, time, request_id: requestId, event: operation } = line;
  if (!Array.isArray(audit) || typeof time !== 'string' || typeof requestId !== 'string') return [];
  const fieldsOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = line[name];
        return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
      }),
    );
  return audit
    .filter((type) => typeof type === 'string')
    .map((type) => ({
      ...{ id: `${requestId}/${type}`, type, time, operation: String(operation) },
      ...fieldsOf(isMessageEvent(type) ? [...FIELDS, ...MESSAGE_FIELDS] : FIELDS),
    }));
}

/** The events of all lines. Skips lines of other origin. */
export function securityEventsOf({ awslogs }: LogsEvent): readonly SecurityEvent[] {
  const batch = parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString());
  const logEvents = (batch?.logEvents ?? []) as readonly { readonly message: string }[];
  return logEvents.flatMap(({ message }) => {
    const line = parse(message);
    return line ? eventsOfLine(line) : [];
  });
}
