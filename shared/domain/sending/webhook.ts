// Webhooks of the Standard Webhooks specification: headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with
// HMAC-SHA-256 over `<id>.<timestamp>.<body>`, one signature for each valid secret.
import { createHmac } from 'node:crypto';
import type { SecurityEvent, Webhook } from '../../ports/events.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { hashSecret } from '../basis/random.ts';

const SECRET_PREFIX = 'whsec_';

/** Returns the secret of a webhook. The secret is not stored: KMS derives it from the webhook ID and the version. */
export async function webhookSecret(
  ports: PortsWith<'webhookMac'>,
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

/** Returns the ID of a webhook message. All attempts have the same ID, so that receivers can recognise a repetition. */
export const toMessageId = (webhookId: string, eventId: string): string =>
  `msg_${hashSecret(`${webhookId}\n${eventId}`)}`;

const OMITTED_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'type', 'time', 'webhooks', 'operator', 'reason'],
  ...['record_kind', 'person_id', 'changes'],
]);

/**
 * Returns the payload of a webhook message: type, timestamp and data (Standard Webhooks, "Payload"). The payload omits the
 * operator, the operator's reason and the values of a change.
 */
export function toWebhookPayload(event: SecurityEvent) {
  const data = Object.fromEntries(Object.entries(event).filter(([name]) => !OMITTED_FIELDS.has(name)));
  return { type: event.type, timestamp: event.time, data };
}

/** Returns the ID of a webhook delivery. All attempts have the same ID, and IDs sort by the time of the event. */
export const toDeliveryId = (webhookId: string, { id, time }: SecurityEvent): string =>
  `${Date.parse(time)}-${toMessageId(webhookId, id)}`;

/**
 * Returns true if a webhook's filters accept an event type. A filter is a type, or a prefix of types that ends with `*`.
 * Without filters, all types are accepted.
 */
function matchesFilters({ events }: Webhook, type: string): boolean {
  if (events.length === 0) return true;
  return events.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));
}

/** Event types that are only delivered to the webhook that they name: a test, and the request to redeliver an event. */
const TYPES_FOR_ONE_WEBHOOK: ReadonlySet<string> = new Set(['webhook.tested', 'webhook.repeated']);

/** Returns true if a webhook gets an event of its tenant. A webhook of an application gets only events of that application. */
export function isSubscribed(
  webhook: Webhook,
  event: Pick<SecurityEvent, 'type'> & Readonly<Record<string, string | number | undefined>>,
): boolean {
  if (webhook.enabled && TYPES_FOR_ONE_WEBHOOK.has(event.type)) return event.record_id === webhook.webhookId;
  if (!webhook.enabled || !matchesFilters(webhook, event.type)) return false;
  return webhook.applicationId === undefined || webhook.applicationId === event.application_id?.toString();
}

/** Longest delay in seconds between two attempts, shorter than the maximum of SQS. */
const LONGEST_SECONDS = 28_800;
/** Delays in seconds between attempts, almost a day in total. No delay follows the last attempt. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 1800, 3600, 7200, 14_400, LONGEST_SECONDS, LONGEST_SECONDS];

/** Number of attempts after which a webhook message becomes a dead letter. */
export const WEBHOOK_ATTEMPTS = BACKOFF_SECONDS.length + 1;

/** Returns the delay in seconds after an attempt. Attempts are numbered from 1. */
export const backoffSeconds = (attempt: number): number => BACKOFF_SECONDS[attempt - 1] ?? LONGEST_SECONDS;
