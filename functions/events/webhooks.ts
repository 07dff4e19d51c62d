import { readIssuer, requireVariable } from '../../shared/aws/settings.ts';
import { deliveryQueue } from '../../shared/aws/webhook-queue.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import {
  backoffSeconds,
  isSubscribed,
  toDeliveryId,
  toMessageId,
  toWebhookPayload,
  webhookSecret,
  webhookSignature,
} from '../../shared/domain/sending/webhook.ts';
import { log } from '../../shared/http/log.ts';
import type { DeliveryQueue, SecurityEvent, Webhook } from '../../shared/ports/events.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { notifyLogout } from './backchannel-logout.ts';
import { isLogoutDue } from './logout-event.ts';
import { post, type WebhookPost } from './post-webhook.ts';

/** One record of the SQS event that Lambda passes to the function. */
interface QueueMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

/** Ports of the webhook worker, with its queue, the issuer of logout tokens, and the function that sends POST requests. */
export interface DeliveryPorts extends BackgroundPorts<'webhooks'> {
  readonly queue: DeliveryQueue;
  readonly issuer: string;
  readonly post: (post: WebhookPost) => Promise<number>;
}

/** Body of a queue message. If `webhook_id` is missing, the event is distributed to all webhooks that subscribe to it. */
interface Body {
  readonly detail: SecurityEvent;
  readonly webhook_id?: string;
}

/** Returns the code of a network error, such as `ENOTFOUND`, or else the name of the error. */
function nameError(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return error.name === 'Error' && 'code' in error ? String(error.code) : error.name;
}

const isDone = (status: number) => status >= 200 && status < 300;

/** Posts an event to a webhook, signed with each version of its secret. Returns the status of the response. */
async function postTo(ports: DeliveryPorts, webhook: Webhook, event: SecurityEvent): Promise<number> {
  const body = JSON.stringify(toWebhookPayload(event));
  const id = toMessageId(webhook.webhookId, event.id);
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

/**
 * Queues one message for each webhook that subscribes to an event, so that a failed delivery does not repeat other deliveries.
 */
async function distribute(ports: DeliveryPorts, { detail }: Body): Promise<void> {
  const { webhooks, queue } = ports;
  if (detail.tenant_id === undefined) return;
  const subscribed = (await webhooks.listOf(detail.tenant_id)).filter((webhook) =>
    isSubscribed(webhook, detail),
  );
  const delivered = subscribed.length > 0 ? await eventToDeliver(ports, detail) : undefined;
  if (delivered)
    await queue.send(
      subscribed.map(({ webhookId }) => JSON.stringify({ detail: delivered, webhook_id: webhookId })),
    );
}

/**
 * Returns the event to deliver. For a redelivery request, this is the original event, or undefined if that event is no longer
 * stored.
 */
async function eventToDeliver(
  { webhookDeliveries }: DeliveryPorts,
  event: SecurityEvent,
): Promise<SecurityEvent | undefined> {
  if (event.type !== 'webhook.repeated') return event;
  const { record_id, delivery_id } = event;
  return (await webhookDeliveries.find(String(record_id), String(delivery_id)))?.event;
}

/**
 * Handles one queue message: notifies a client of a logout, distributes an event, or posts it to one webhook. A failed post is
 * delayed for a retry.
 * @returns false if SQS must deliver the message again
 */
async function handle(ports: DeliveryPorts, message: QueueMessage): Promise<boolean> {
  const body = JSON.parse(message.body) as Body;
  const attempt = Number(message.attributes.ApproximateReceiveCount);
  if (isLogoutDue(body.detail)) {
    if (await notifyLogout(ports, body.detail, attempt)) return true;
    await ports.queue.delay(message.receiptHandle, backoffSeconds(attempt));
    return false;
  }
  if (body.webhook_id === undefined) {
    await distribute(ports, body);
    return true;
  }
  const webhook = await ports.webhooks.find(body.webhook_id);
  if (!webhook?.enabled || webhook.tenantId !== body.detail.tenant_id) return true;
  let outcome: number | string;
  try {
    outcome = await postTo(ports, webhook, body.detail);
  } catch (error) {
    outcome = nameError(error);
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
  const { webhookId } = webhook;
  await ports.webhookDeliveries.note(
    { webhookId, deliveryId: toDeliveryId(webhookId, body.detail), event: body.detail },
    {
      at: nowSeconds(),
      attempt,
      ...(typeof outcome === 'number' ? { status: outcome } : { error: outcome }),
    },
  );
  if (typeof outcome === 'number' && isDone(outcome)) return true;
  await ports.queue.delay(message.receiptHandle, backoffSeconds(attempt));
  return false;
}

/** Handles messages in parallel and returns the IDs of the messages that SQS must deliver again. */
export async function deliver(
  ports: DeliveryPorts,
  messages: readonly QueueMessage[],
): Promise<readonly string[]> {
  const done = await Promise.all(
    messages.map((message) =>
      handle(ports, message).catch((error: unknown) => {
        // Logs only the error's name, because error messages of AWS repeat parameters.
        const outcome = error instanceof Error ? error.name : typeof error;
        log('error', { event: 'webhook', message_id: message.messageId, outcome });
        return false;
      }),
    ),
  );
  return messages.filter((_, index) => !done[index]).map(({ messageId }) => messageId);
}

/** Posts signed events to webhooks and logout tokens to clients. Retries a failed post for a day, with growing delays. */
export const create: CreateBackground<'webhooks', { readonly Records: readonly QueueMessage[] }> = (
  ports,
  env,
) => {
  const allowLoopback = env.LOOPBACK === 'on';
  const all: DeliveryPorts = {
    ...ports,
    issuer: readIssuer(env),
    queue: deliveryQueue(requireVariable(env, 'WEBHOOK_QUEUE_URL')),
    post: async (message) => post(message, allowLoopback),
  };
  return async ({ Records }) => {
    const failed = await deliver(all, Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
