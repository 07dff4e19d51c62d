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

const common = { ...administration, file: 'webhooks/webhooks', record: 'webhookId' } as const;

const webhooks = recordRows({
  common,
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
  summary: 'Creates a webhook and returns its secret, only this once',
  description: `Events are posted as \`{type, timestamp, data}\`, signed according to Standard Webhooks, and retried for a day. Only this response contains \`secret\`. If the tenant already has ${LIST_LIMIT_MAX} webhooks, the response is 400; an unknown application is 404.`,
  errors: ['application_not_found'],
  uses: ['webhookRecords.list', 'webhookRecords.put', 'webhookMac', 'applicationRecords.find'],
});

export const listWebhooks = webhooks.list({
  summary: 'Lists the webhooks of the tenant, oldest first',
  description:
    'Returns the webhooks of the tenant and its applications page by page, with their health and without their secrets. A record that was just created may be missing for a moment.',
  uses: ['webhookRecords.list', 'webhookDeliveries.healthOf'],
});

export const getWebhook = webhooks.get({
  summary: 'Returns a webhook without its secrets',
  description:
    'Returns the settings and the health of a webhook. A webhook of another tenant is 404, like an unknown one.',
  uses: ['webhookRecords.find', 'webhookDeliveries.healthOf'],
});

export const updateWebhook = webhooks.update({
  summary: 'Updates the given fields of a webhook; null removes a field',
  description:
    '`events` replaces the previous list; `enabled: false` keeps the webhook but posts nothing. If other calls keep changing the record at the same time, the response is 409.',
  errors: ['concurrent_change'],
  uses: ['webhookRecords.find', 'webhookRecords.replace'],
});

export const deleteWebhook = webhooks.delete({
  summary: 'Deletes a webhook and the events that wait for delivery to it',
  description: 'Nothing is posted any more, and its secrets become invalid. This cannot be undone.',
  uses: ['webhookRecords.find', 'webhookRecords.remove'],
});

export const addWebhookSecret = {
  ...common,
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/secrets',
  summary:
    'Adds a secret and returns it, only this once; the previous secret also signs until another one is added',
  description:
    'Each event is signed with both secrets, so that receivers can switch without losing an event. If other calls keep changing the record at the same time, the response is 409.',
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
  summary: 'Lists the events that were posted to a webhook, newest first, with the response to each attempt',
  description:
    'Returns the events of the last seven days with each attempt to post them and its status or error. Networks, devices and user agents in payloads are masked.',
  input: { path: WebhookIdPath, query: PageQuery },
  output: { status: 200, json: WebhookDeliveriesResponse },
  errors: ['webhook_not_found'],
  uses: ['webhookRecords.find', 'webhookDeliveries.list'],
} as const satisfies OperationRow;

/** Definition fields shared by all operations after which the webhook worker must post an event within seconds. */
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
  summary: 'Posts an event `webhook.tested` to this webhook only',
  description:
    'The event is posted within seconds after the response, and signed and retried like all events; its delivery record shows the result. While the webhook is not `enabled`, the response is 400.',
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
    'The event is posted within seconds after the response, and retried like all events. Receivers recognise the repetition by its `webhook-id`. A delivery that is no longer kept is 404; while the webhook is not `enabled`, the response is 400.',
  input: { path: DeliveryPath },
  errors: ['webhook_not_found', 'delivery_not_found'],
  audit: 'webhook.repeated',
  uses: ['webhookRecords.find', 'webhookDeliveries.find'],
} as const satisfies OperationRow;
