import { required } from '../../shared/aws/settings.ts';
import { deliveryQueue } from '../../shared/aws/webhook-queue.ts';
import type { CreateBackground } from '../background.ts';
import { type DeliveryPorts, deliver, type QueueMessage } from './deliver-webhooks.ts';
import { post } from './post-webhook.ts';

/** Signs and posts events. Repeats a failed post for a day, with growing delays. */
export const create: CreateBackground<'webhooks', { readonly Records: readonly QueueMessage[] }> = (
  ports,
  env,
) => {
  const allowLoopback = env.WEBHOOK_LOOPBACK === 'on';
  const all: DeliveryPorts = {
    ...ports,
    queue: deliveryQueue(required(env, 'WEBHOOK_QUEUE_URL')),
    post: async (message) => post(message, allowLoopback),
  };
  return async ({ Records }) => {
    const failed = await deliver(all, Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
