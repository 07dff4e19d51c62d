import { LIST_LIMIT_MAX } from '../../domain/basis/limits.ts';
import type { Webhook, WebhookRecords, Webhooks } from '../../ports/events.ts';
import { readTexts } from '../attributes.ts';
import { attribute, codec, flag, number, optional, text, texts } from '../codec.ts';
import { listPartitions, webhookKey } from '../keys.ts';
import { type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const webhookItem = codec<Webhook>({
  webhookId: text('webhook_id'),
  tenantId: text('tenant_id'),
  applicationId: optional(text('application_id')),
  url: text('url'),
  events: texts('events'),
  enabled: flag('enabled'),
  secretVersions: attribute<readonly number[]>(
    'secret_versions',
    (item, name) => readTexts(item, name).map(Number),
    (versions) => versions.map(String),
  ),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
});

const kind: RecordKind<Webhook> = {
  key: webhookKey,
  id: (webhook) => webhook.webhookId,
  list: (webhook) => listPartitions.webhooks(webhook.tenantId),
  listOf: listPartitions.webhooks,
  codec: webhookItem,
};

export const webhookRecords = (table: Table): WebhookRecords => recordStore(table, kind);

export function webhooks(table: Table): Webhooks {
  return {
    async find(webhookId) {
      const item = await table.get(webhookKey(webhookId));
      return item && webhookItem.read(item);
    },

    async listOf(tenantId) {
      const page = { limit: LIST_LIMIT_MAX };
      return (await table.queryIndex(listPartitions.webhooks(tenantId), page)).items.map(webhookItem.read);
    },
  };
}
