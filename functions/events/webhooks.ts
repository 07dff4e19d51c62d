import { webhookMac, webhooks } from '../../shared/aws/adapters.ts';
import { required } from '../../shared/aws/settings.ts';
import { deliveryQueue } from '../../shared/aws/webhook-queue.ts';
import { type DeliveryPorts, deliver, type QueueMessage } from './deliver-webhooks.ts';
import { post } from './post-webhook.ts';

let ports: DeliveryPorts | undefined;

/** The function that signs events and posts them. What is not taken comes again, later each time, for a day. */
export async function handler(event: { readonly Records: readonly QueueMessage[] }) {
  const context = { env: process.env };
  const allowLoopback = process.env.WEBHOOK_LOOPBACK === 'on';
  ports ??= {
    webhooks: webhooks(context),
    webhookMac: webhookMac(context),
    queue: deliveryQueue(required(process.env, 'WEBHOOK_QUEUE_URL')),
    post: async (message) => post(message, allowLoopback),
  };
  const failed = await deliver(ports, event.Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
