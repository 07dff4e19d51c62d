import { WEBHOOK_DELIVERIES_KEPT_SECONDS, WEBHOOK_DELIVERY_ATTEMPTS_MAX } from '../../domain/basis/limits.ts';
import type {
  DeliveryAttempt,
  SecurityEvent,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookHealth,
} from '../../ports/events.ts';
import { isPurgeable } from '../attributes.ts';
import { codec, json, maps, number, optional, text } from '../codec.ts';
import { webhookDeliveriesPartition, webhookDeliveryKey, webhookHealthKey } from '../keys.ts';
import type { Table } from '../table.ts';

const attempt = codec<DeliveryAttempt>({
  at: number('at'),
  attempt: number('attempt'),
  status: optional(number('status')),
  error: optional(text('error')),
});

const deliveryItem = codec<WebhookDelivery>({
  webhookId: text('webhook_id'),
  deliveryId: text('sk'),
  event: json('event', (event) => event as unknown as SecurityEvent),
  attempts: maps('attempts', attempt),
});

const healthItem = codec<WebhookHealth & { readonly webhookId: string }>({
  webhookId: text('webhook_id'),
  lastAt: number('last_at'),
  status: optional(number('status')),
  error: optional(text('error')),
  failingSince: optional(number('failing_since')),
});

/** Creates the store of webhook deliveries. One item per event and webhook contains all delivery attempts. */
export function webhookDeliveries(table: Table): WebhookDeliveries {
  /** Stores the result of an attempt as the webhook's health, unless the result of a later attempt is already stored. */
  async function noteHealth(webhookId: string, { at, status, error }: DeliveryAttempt): Promise<void> {
    const isDelivered = status !== undefined && status >= 200 && status < 300;
    await table.change(webhookHealthKey(webhookId), {
      condition: 'attribute_not_exists(#last_at) OR #last_at <= :at',
      set: {
        ...{ webhook_id: webhookId, last_at: at, status, error },
        ...(isDelivered ? { failing_since: undefined } : {}),
        purge_at: at + WEBHOOK_DELIVERIES_KEPT_SECONDS,
      },
      compute: isDelivered ? [] : ['#failing_since = if_not_exists(#failing_since, :at)'],
      values: { at },
    });
  }
  return {
    async note({ webhookId, deliveryId, event }, made) {
      const {
        sk: _,
        attempts,
        ...set
      } = deliveryItem.toAttributes({
        ...{ webhookId, deliveryId, event },
        attempts: [made],
      });
      await table.update(webhookDeliveryKey(webhookId, deliveryId), {
        condition: 'attribute_not_exists(#attempts) OR size(#attempts) < :most',
        compute: ['#attempts = list_append(if_not_exists(#attempts, :none), :made)'],
        set: { ...set, purge_at: made.at + WEBHOOK_DELIVERIES_KEPT_SECONDS },
        values: { none: [], made: attempts, most: WEBHOOK_DELIVERY_ATTEMPTS_MAX },
        tokenAttribute: 'noted_by',
        counts: true,
      });
      await noteHealth(webhookId, made);
    },

    async healthOf(webhookIds, at) {
      const items = await table.getAll(webhookIds.map(webhookHealthKey));
      return new Map(
        items
          .filter((item) => !isPurgeable(item, at))
          .map((item) => {
            const { webhookId, ...health } = healthItem.read(item);
            return [webhookId, health];
          }),
      );
    },

    async find(webhookId, deliveryId) {
      const item = await table.get(webhookDeliveryKey(webhookId, deliveryId));
      return item && deliveryItem.read(item);
    },

    async list(webhookId, page) {
      const { items, ...rest } = await table.queryNewest(webhookDeliveriesPartition(webhookId), page);
      return { items: items.map(deliveryItem.read), ...rest };
    },
  };
}
