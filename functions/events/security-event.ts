import { toWireDate } from '../../shared/domain/basis/time.ts';
import type { SecretUse } from '../../shared/domain/oauth/secret-use.ts';
import { isMessageEvent } from '../../shared/domain/support/message-events.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { LogFields, LoggedLine } from './logs-event.ts';

const IDS = ['tenant_id', 'application_id', 'client_id', 'user_id', 'session_id', 'record_id'] as const;
const DEVICE = ['source_address', 'device_id', 'user_agent', 'ip_address', 'browser'] as const;
const RESULT = ['method', 'channel', 'result', 'status', 'request_id'] as const;

/** Fields that an event copies from its log line (shared/http/log.ts). None of them contains a secret or an address. */
const FIELDS = [
  ...IDS,
  ...RESULT,
  ...DEVICE,
  ...['key_id', 'delivery_id', 'operator', 'reason', 'supersedes_account', 'provider'],
] as const;

/** Fields that describe a changed record. Only the first event of a log line gets them, so that a change is recorded once. */
const CHANGE_FIELDS = ['record_kind', 'person_id', 'changes'] as const;

/** Fields of events about messages, such as `message.sent`. No other events have these fields. */
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

/**
 * Returns the field `until`, the time from which a rejected message may be sent again. Returns no field if the log line has no
 * retry delay.
 */
function refusalEnd({ retry_after_seconds: wait }: LogFields, time: string) {
  return typeof wait === 'number'
    ? { until: toWireDate(Math.ceil(Date.parse(time) / MILLISECONDS) + wait) }
    : {};
}

/** Creates a security event for each audit event type in a log line. */
function toSecurityEvents(line: LogFields): readonly SecurityEvent[] {
  const { audit, time, request_id: requestId, event: operation } = line;
  if (!Array.isArray(audit) || typeof time !== 'string' || typeof requestId !== 'string') return [];
  const pickFields = (names: readonly string[]) =>
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
      ...pickFields(isMessageEvent(type) ? [...FIELDS, ...MESSAGE_FIELDS] : FIELDS),
      ...(isMessageEvent(type) ? refusalEnd(line, time) : {}),
      ...(index === 0 ? pickFields(CHANGE_FIELDS) : {}),
    }));
}

/** Creates the security events of all log lines. */
export const readSecurityEvents = (lines: readonly LoggedLine[]): readonly SecurityEvent[] =>
  lines.flatMap(({ line }) => toSecurityEvents(line));

/** Returns the last use of each client secret that appears in the log lines. */
export function readSecretUses(lines: readonly LoggedLine[]): readonly SecretUse[] {
  const uses = lines.flatMap(({ line: { client_id: clientId, secret_used: secretId, time } }) =>
    typeof clientId === 'string' && typeof secretId === 'string' && typeof time === 'string'
      ? [{ clientId, secretId, time }]
      : [],
  );
  return [...new Map(uses.map((use) => [use.secretId, use])).values()];
}
