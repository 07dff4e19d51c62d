import { LIST_LIMIT_MAX } from '../../domain/basis/limits.ts';
import type { Webhook, WebhookRecords, Webhooks } from '../../ports/events.ts';
import { flag, number, omitUndefined, optionalText, text, texts } from '../attributes.ts';
import { listPartitions, webhookKey } from '../keys.ts';
import { type RecordKind, recordStore } from '../record-store.ts';
import type { Item, Table } from '../table.ts';

function toWebhook(item: Item): Webhook {
  return omitUndefined({
    webhookId: text(item, 'webhook_id'),
    tenantId: text(item, 'tenant_id'),
    applicationId: optionalText(item, 'application_id'),
    url: text(item, 'url'),
    events: texts(item, 'events'),
    enabled: flag(item, 'enabled'),
    secretVersions: texts(item, 'secret_versions').map(Number),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
  });
}

const kind: RecordKind<Webhook> = {
  key: webhookKey,
  id: (webhook) => webhook.webhookId,
  list: (webhook) => listPartitions.webhooks(webhook.tenantId),
  listOf: listPartitions.webhooks,
  fromItem: toWebhook,
  toAttributes: (webhook) => ({
    webhook_id: webhook.webhookId,
    tenant_id: webhook.tenantId,
    application_id: webhook.applicationId,
    url: webhook.url,
    events: webhook.events,
    enabled: webhook.enabled,
    secret_versions: webhook.secretVersions.map(String),
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  }),
};

export const webhookRecords = (table: Table): WebhookRecords => recordStore(table, kind);

export function webhooks(table: Table): Webhooks {
  return {
    async find(webhookId) {
      const item = await table.get(webhookKey(webhookId));
      return item && toWebhook(item);
    },

    async listOf(tenantId) {
      const page = { limit: LIST_LIMIT_MAX };
      return (await table.queryIndex(listPartitions.webhooks(tenantId), page)).items.map(toWebhook);
    },
  };
}
