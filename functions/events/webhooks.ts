import { issuerIn, required } from '../../shared/aws/settings.ts';
import { deliveryQueue } from '../../shared/aws/webhook-queue.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import {
  backoffSeconds,
  messageIdOf,
  wants,
  webhookSecret,
  webhookSignature,
} from '../../shared/domain/sending/webhook.ts';
import { log } from '../../shared/http/log.ts';
import type { DeliveryQueue, SecurityEvent, Webhook } from '../../shared/ports/events.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { tellLogout } from './backchannel-logout.ts';
import { isLogoutDue } from './logout-event.ts';
import { type Post, post } from './post-webhook.ts';

/** A record of the SQS event of Lambda. */
interface QueueMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

export interface DeliveryPorts extends BackgroundPorts<'webhooks'> {
  readonly queue: DeliveryQueue;
  readonly issuer: string;
  readonly post: (post: Post) => Promise<number>;
}

/** An event as the rule queues it; with a webhook's ID, for that webhook only. */
interface Body {
  readonly detail: SecurityEvent;
  readonly webhook_id?: string;
}

const isDone = (status: number) => status >= 200 && status < 300;

const NO_DATA: ReadonlySet<string> = new Set(['id', 'type', 'time', 'webhooks', 'operator', 'reason']);

/** Standard Webhooks, "Payload": type, timestamp and data. Leaves out the operator and their reason. */
function payloadOf(event: SecurityEvent): string {
  const data = Object.fromEntries(Object.entries(event).filter(([name]) => !NO_DATA.has(name)));
  return JSON.stringify({ type: event.type, timestamp: event.time, data });
}

async function postTo(ports: DeliveryPorts, webhook: Webhook, event: SecurityEvent): Promise<number> {
  const body = payloadOf(event);
  const id = messageIdOf(webhook.webhookId, event.id);
  const timestamp = nowSeconds();
  const secrets = await Promise.all(
    webhook.secretVersions.map((version) => webhookSecret(ports, webhook.webhookId, version)),
  );
  return ports.post({
    url: webhook.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'one-time-login-webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': secrets.map((secret) => webhookSignature(secret, id, timestamp, body)).join(' '),
    },
  });
}

/** Queues one message per webhook that wants the event: a failure of one repeats no delivery to another. */
async function spread({ webhooks, queue }: DeliveryPorts, body: Body): Promise<void> {
  const { detail } = body;
  if (detail.tenant_id === undefined) return;
  const wanting = (await webhooks.listOf(detail.tenant_id)).filter((webhook) => wants(webhook, detail));
  await queue.send(wanting.map(({ webhookId }) => JSON.stringify({ detail, webhook_id: webhookId })));
}

/** True when the message is done with. */
async function handle(ports: DeliveryPorts, message: QueueMessage): Promise<boolean> {
  const body = JSON.parse(message.body) as Body;
  const attempt = Number(message.attributes.ApproximateReceiveCount);
  if (isLogoutDue(body.detail)) {
    if (await tellLogout(ports, body.detail, attempt)) return true;
    await ports.queue.delay(message.receiptHandle, backoffSeconds(attempt));
    return false;
  }
  if (body.webhook_id === undefined) {
    await spread(ports, body);
    return true;
  }
  const webhook = await ports.webhooks.find(body.webhook_id);
  if (!webhook?.enabled || webhook.tenantId !== body.detail.tenant_id) return true;
  let outcome: number | string;
  try {
    outcome = await postTo(ports, webhook, body.detail);
  } catch (error) {
    outcome = error instanceof Error ? error.name : 'Error';
  }
  log('info', {
    event: 'webhook',
    request_id: body.detail.request_id,
    tenant_id: webhook.tenantId,
    webhook_id: webhook.webhookId,
    type: body.detail.type,
    attempt,
    outcome,
  });
  if (typeof outcome === 'number' && isDone(outcome)) return true;
  await ports.queue.delay(message.receiptHandle, backoffSeconds(attempt));
  return false;
}

/** Handles messages in parallel; returns the IDs of those that SQS must repeat. */
export async function deliver(
  ports: DeliveryPorts,
  messages: readonly QueueMessage[],
): Promise<readonly string[]> {
  const done = await Promise.all(
    messages.map((message) =>
      handle(ports, message).catch((error: unknown) => {
        // Only the name: messages of AWS repeat parameters.
        const outcome = error instanceof Error ? error.name : typeof error;
        log('error', { event: 'webhook', message_id: message.messageId, outcome });
        return false;
      }),
    ),
  );
  return messages.filter((_, index) => !done[index]).map(({ messageId }) => messageId);
}

/** Signs and posts events. Repeats a failed post for a day, with growing delays. */
export const create: CreateBackground<'webhooks', { readonly Records: readonly QueueMessage[] }> = (
  ports,
  env,
) => {
  const allowLoopback = env.LOOPBACK === 'on';
  const all: DeliveryPorts = {
    ...ports,
    issuer: issuerIn(env),
    queue: deliveryQueue(required(env, 'WEBHOOK_QUEUE_URL')),
    post: async (message) => post(message, allowLoopback),
  };
  return async ({ Records }) => {
    const failed = await deliver(all, Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
