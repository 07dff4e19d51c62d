import { createHmac } from 'node:crypto';
import type { SecurityEvent, Webhook } from '../../ports/events.ts';
import type { Using } from '../../ports/uses.ts';
import { hashSecret } from '../basis/random.ts';

/**
 * Webhooks by the Standard Webhooks specification: `webhook-id`, `webhook-timestamp`, `webhook-signature` with HMAC-SHA-256
 * over `<id>.<timestamp>.<body>`, one signature for each valid secret.
 */

const SECRET_PREFIX = 'whsec_';

/** No secret is stored: KMS derives it from the webhook and its version. */
export async function webhookSecret(
  ports: Using<'webhookMac'>,
  webhookId: string,
  version: number,
): Promise<string> {
  const mac = await ports.webhookMac.mac(['webhook', webhookId, version].join('\n'));
  return `${SECRET_PREFIX}${Buffer.from(mac, 'base64url').toString('base64')}`;
}

export function webhookSignature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Equal for all attempts: receivers recognize a repetition by it. */
export const messageIdOf = (webhookId: string, eventId: string): string =>
  `msg_${hashSecret(`${webhookId}\n${eventId}`)}`;

const NO_DATA: ReadonlySet<string> = new Set([
  ...['id', 'type', 'time', 'webhooks', 'operator', 'reason'],
  ...['record_kind', 'person_id', 'changes'],
]);

/** Standard Webhooks, "Payload": type, timestamp and data. Leaves out the operator, their reason, and the values of a change. */
export function payloadOf(event: SecurityEvent) {
  const data = Object.fromEntries(Object.entries(event).filter(([name]) => !NO_DATA.has(name)));
  return { type: event.type, timestamp: event.time, data };
}

/** Equal for all attempts; sorts by the time of the event. */
export const deliveryIdOf = (webhookId: string, { id, time }: SecurityEvent): string =>
  `${Date.parse(time)}-${messageIdOf(webhookId, id)}`;

/** A filter names a type, or a prefix of types with `*` at its end. No filter takes all. */
function takes({ events }: Webhook, type: string): boolean {
  if (events.length === 0) return true;
  return events.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));
}

/** A test, and the order to send an event again: they are for the webhook that they name. */
const TO_ONE: ReadonlySet<string> = new Set(['webhook.tested', 'webhook.repeated']);

/** Whether a webhook wants an event of its tenant. A webhook of an application takes only events of that application. */
export function wants(
  webhook: Webhook,
  event: Pick<SecurityEvent, 'type'> & Readonly<Record<string, string | number | undefined>>,
): boolean {
  if (webhook.enabled && TO_ONE.has(event.type)) return event.record_id === webhook.webhookId;
  if (!webhook.enabled || !takes(webhook, event.type)) return false;
  return webhook.applicationId === undefined || webhook.applicationId === event.application_id?.toString();
}

/** Seconds until the next attempt, almost a day in total, each within the longest delay of SQS. The last one has none. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800] as const;

/** After this many attempts a message becomes a dead letter. */
export const WEBHOOK_ATTEMPTS = BACKOFF_SECONDS.length + 1;

/** `attempt` counts from 1. */
export const backoffSeconds = (attempt: number): number =>
  BACKOFF_SECONDS[Math.min(attempt, BACKOFF_SECONDS.length) - 1] ?? BACKOFF_SECONDS[0];
