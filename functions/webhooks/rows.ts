import { LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';
import {
  CreateWebhookBody,
  DeliveryPath,
  UpdateWebhookBody,
  WebhookDeliveriesResponse,
  WebhookIdPath,
  WebhookListResponse,
  WebhookResponse,
} from '../../shared/schemas/webhooks.ts';
import { administration, recordRows } from '../records/record-rows.ts';

/** Rows of the table for webhooks: a management client administers those of its tenant. */

const common = { ...administration, file: 'webhooks/webhooks', record: 'webhookId' } as const;

const webhooks = recordRows({
  common: common,
  path: '/v1/webhooks',
  id: 'webhookId',
  item: WebhookIdPath,
  create: CreateWebhookBody,
  update: UpdateWebhookBody,
  one: WebhookResponse,
  list: WebhookListResponse,
  itemErrors: ['webhook_not_found'],
});

export const createWebhook = webhooks.create({
  summary: 'Makes a webhook and shows its secret, this once',
  description: `Events are posted as \`{type, timestamp, data}\`, signed as Standard Webhooks has it, and tried again for a day. \`secret\` is in this answer alone. 400 where the tenant has ${LIST_LIMIT_MAX} webhooks, 404 for an unknown application.`,
  errors: ['application_not_found'],
  uses: ['webhookRecords.list', 'webhookRecords.put', 'webhookMac', 'applicationRecords.find'],
});

export const listWebhooks = webhooks.list({
  summary: 'Lists the webhooks of the tenant, oldest first',
  description:
    'Answers the webhooks of the tenant and its applications by pages, without their secrets. A record that was just made may be missing for a moment.',
  uses: ['webhookRecords.list'],
});

export const getWebhook = webhooks.get({
  summary: 'Shows a webhook without its secrets',
  description: 'Answers the settings of a webhook. One of another tenant is 404 like an unknown one.',
  uses: ['webhookRecords.find'],
});

export const updateWebhook = webhooks.update({
  summary: 'Changes the given fields of a webhook; null removes a field',
  description:
    '`events` replaces the former list; `enabled: false` keeps the webhook and posts nothing. 409 when others keep changing the record at the same time.',
  errors: ['concurrent_change'],
  uses: ['webhookRecords.find', 'webhookRecords.replace'],
});

export const deleteWebhook = webhooks.delete({
  summary: 'Deletes a webhook; what waits for it is dropped',
  description: 'Nothing is posted any more, and its secrets are worth nothing. It cannot be undone.',
  uses: ['webhookRecords.find', 'webhookRecords.remove'],
});

export const addWebhookSecret = {
  ...common,
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/secrets',
  summary: 'Adds a secret and shows it, this once; the one before signs too until another one is added',
  description:
    'Each event is signed with both secrets, so that receivers change over without losing one. 409 when others keep changing the record at the same time.',
  input: { path: WebhookIdPath },
  output: { status: 201, json: WebhookResponse },
  errors: ['webhook_not_found', 'concurrent_change'],
  audit: 'management.changed',
  uses: ['webhookRecords.find', 'webhookRecords.replace', 'webhookMac'],
} as const satisfies OperationRow;

export const listWebhookDeliveries = {
  ...common,
  operators: 'developer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/deliveries',
  summary: 'Shows what was posted to a webhook, newest first, with the answer of each attempt',
  description:
    'Answers the events of the last seven days with each attempt to post them, its status or error. Networks, devices and user agents in payloads are masked.',
  input: { path: WebhookIdPath, query: PageQuery },
  output: { status: 200, json: WebhookDeliveriesResponse },
  errors: ['webhook_not_found'],
  uses: ['webhookRecords.find', 'webhookDeliveries.list'],
} as const satisfies OperationRow;

/** What is posted within seconds. */
const posting = {
  ...common,
  operators: 'developer',
  unguarded: 'repeats',
  method: 'POST',
  output: { status: 204 },
} as const;

export const testWebhook = {
  ...posting,
  path: '/v1/webhooks/{webhookId}/test',
  summary: 'Posts an event `webhook.tested` to a webhook, and to no other',
  description:
    'The event is posted within seconds after the answer, signed and repeated as all are, and its delivery says what came of it. 400 while the webhook is not `enabled`.',
  input: { path: WebhookIdPath },
  errors: ['webhook_not_found'],
  audit: 'webhook.tested',
  uses: ['webhookRecords.find'],
} as const satisfies OperationRow;

export const sendWebhookAgain = {
  ...posting,
  path: '/v1/webhooks/{webhookId}/deliveries/{deliveryId}/again',
  summary: 'Posts an event to a webhook again, with the same ID and a new signature',
  description:
    'The event is posted within seconds after the answer, and repeated as all are. Receivers know the repetition by its `webhook-id`. 404 for a delivery that is not kept, 400 while the webhook is not `enabled`.',
  input: { path: DeliveryPath },
  errors: ['webhook_not_found', 'delivery_not_found'],
  audit: 'webhook.repeated',
  uses: ['webhookRecords.find', 'webhookDeliveries.find'],
} as const satisfies OperationRow;
