import { wireDate } from '../../shared/domain/basis/time.ts';
import type { SecretUse } from '../../shared/domain/oauth/secret-use.ts';
import { isMessageEvent } from '../../shared/domain/support/message-events.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { Line, LoggedLine } from './logs-event.ts';

const IDS = ['tenant_id', 'application_id', 'client_id', 'user_id', 'session_id', 'record_id'] as const;
const DEVICE = ['source_address', 'device_id', 'user_agent', 'ip_address', 'browser'] as const;
const RESULT = ['method', 'channel', 'result', 'status', 'request_id'] as const;

/** Fields that an event takes over from its log line (shared/http/log.ts). None holds a secret or an address. */
const FIELDS = [
  ...IDS,
  ...RESULT,
  ...DEVICE,
  ...['key_id', 'delivery_id', 'operator', 'reason', 'supersedes_account'],
] as const;

/** What has changed, once for each line: its first event has it. */
const CHANGE_FIELDS = ['record_kind', 'person_id', 'changes'] as const;

/** The fields that only events of messages have. */
const MESSAGE_FIELDS = [
  'sent',
  'recipient',
  'recipient_hash',
  'message_id',
  'refusal',
  'provider_error',
  'sms_parts',
  'sms_sender',
] as const;

const MILLISECONDS = 1000;

/** When the refusal of a message ends. */
function endOf({ retry_after_seconds: wait }: Line, time: string) {
  return typeof wait === 'number'
    ? { until: wireDate(Math.ceil(Date.parse(time) / MILLISECONDS) + wait) }
    : {};
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
    .map((type, index) => ({
      id: `${requestId}/${type}`,
      type,
      time,
      operation: String(operation),
      ...fieldsOf(isMessageEvent(type) ? [...FIELDS, ...MESSAGE_FIELDS] : FIELDS),
      ...(isMessageEvent(type) ? endOf(line, time) : {}),
      ...(index === 0 ? fieldsOf(CHANGE_FIELDS) : {}),
    }));
}

/** The events of all lines. */
export const securityEventsOf = (lines: readonly LoggedLine[]): readonly SecurityEvent[] =>
  lines.flatMap(({ line }) => eventsOfLine(line));

/** The secrets of clients that lines tell of, each once. */
export function secretUsesOf(lines: readonly LoggedLine[]): readonly SecretUse[] {
  const uses = lines.flatMap(({ line: { client_id: clientId, secret_used: secretId, time } }) =>
    typeof clientId === 'string' && typeof secretId === 'string' && typeof time === 'string'
      ? [{ clientId, secretId, time }]
      : [],
  );
  return [...new Map(uses.map((use) => [use.secretId, use])).values()];
}
