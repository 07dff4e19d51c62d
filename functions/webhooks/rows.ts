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

/** Rows of the table for webhooks: a management client administers those of its tenant. */

/** What every row here has. */
const administration = {
  operators: 'guarded',
  file: 'webhooks/webhooks',
  section: 'management',
  reach: 'api',
  auth: ['admin', 'operator'],
  cors: 'none',
  dialect: 'numeric',
} as const;

export const createWebhook = {
  ...administration,
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Makes a webhook and shows its secret, this once',
  description: `Events are posted as \`{type, timestamp, data}\`, signed as Standard Webhooks has it, and tried again for a day. \`secret\` is in this answer alone. 400 where the tenant has ${LIST_LIMIT_MAX} webhooks, 404 for an unknown application.`,
  input: { json: CreateWebhookBody },
  output: { status: 201, json: WebhookResponse },
  errors: ['application_not_found'],
  audit: 'management.changed',
  uses: ['webhookRecords.list', 'webhookRecords.put', 'webhookMac', 'applicationRecords.find'],
} as const satisfies OperationRow;

export const listWebhooks = {
  ...administration,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'Lists the webhooks of the tenant, oldest first',
  description:
    'Answers the webhooks of the tenant and its applications by pages, without their secrets. A record that was just made may be missing for a moment.',
  input: { query: PageQuery },
  output: { status: 200, json: WebhookListResponse },
  errors: [],
  uses: ['webhookRecords.list'],
} as const satisfies OperationRow;

export const getWebhook = {
  ...administration,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}',
  summary: 'Shows a webhook without its secrets',
  description: 'Answers the settings of a webhook. One of another tenant is 404 like an unknown one.',
  input: { path: WebhookIdPath },
  output: { status: 200, json: WebhookResponse },
  errors: ['webhook_not_found'],
  uses: ['webhookRecords.find'],
} as const satisfies OperationRow;

export const updateWebhook = {
  ...administration,
  method: 'PUT',
  path: '/v1/webhooks/{webhookId}',
  summary: 'Changes the given fields of a webhook; null removes a field',
  description:
    '`events` replaces the former list; `enabled: false` keeps the webhook and posts nothing. 409 when others keep changing the record at the same time.',
  input: { path: WebhookIdPath, json: UpdateWebhookBody },
  output: { status: 200, json: WebhookResponse },
  errors: ['webhook_not_found', 'concurrent_change'],
  audit: 'management.changed',
  uses: ['webhookRecords.find', 'webhookRecords.replace'],
} as const satisfies OperationRow;

export const deleteWebhook = {
  ...administration,
  method: 'DELETE',
  path: '/v1/webhooks/{webhookId}',
  summary: 'Deletes a webhook; what waits for it is dropped',
  description: 'Nothing is posted any more, and its secrets are worth nothing. It cannot be undone.',
  input: { path: WebhookIdPath },
  output: { status: 204 },
  errors: ['webhook_not_found'],
  audit: 'management.changed',
  uses: ['webhookRecords.find', 'webhookRecords.remove'],
} as const satisfies OperationRow;

export const addWebhookSecret = {
  ...administration,
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
  ...administration,
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
  ...administration,
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
