import { WEBHOOK_DELIVERIES_KEPT_SECONDS, WEBHOOK_DELIVERY_ATTEMPTS_MAX } from '../../domain/basis/limits.ts';
import type {
  DeliveryAttempt,
  SecurityEvent,
  WebhookDeliveries,
  WebhookDelivery,
} from '../../ports/events.ts';
import { codec, json, maps, number, optional, text } from '../codec.ts';
import { webhookDeliveriesPartition, webhookDeliveryKey } from '../keys.ts';
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

/** Creates the store of webhook deliveries. One item per event and webhook contains all delivery attempts. */
export function webhookDeliveries(table: Table): WebhookDeliveries {
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
