import { LIST_LIMIT_MAX } from '../../domain/basis/limits.ts';
import type { Webhook, WebhookRecords, Webhooks } from '../../ports/events.ts';
import { webhookFields } from '../../records/webhook.ts';
import { createCodec } from '../codec-of.ts';
import { listPartitions, webhookKey } from '../keys.ts';
import { type RecordStorage, readRecord, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const webhookItem = createCodec(webhookFields);

const kind: RecordStorage<Webhook> = {
  key: webhookKey,
  id: (webhook) => webhook.webhookId,
  list: (webhook) => listPartitions.webhooks(webhook.tenantId),
  toListPartition: listPartitions.webhooks,
  codec: webhookItem,
};

export const webhookRecords = (table: Table): WebhookRecords => recordStore(table, kind);

export function webhooks(table: Table): Webhooks {
  return {
    find: (webhookId) => readRecord(table, webhookKey(webhookId), webhookItem),

    async listOf(tenantId) {
      const page = { limit: LIST_LIMIT_MAX };
      return (await table.queryIndex(listPartitions.webhooks(tenantId), page)).items.map(webhookItem.read);
    },
  };
}
