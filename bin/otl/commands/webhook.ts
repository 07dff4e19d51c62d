import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  createWebhook,
  deleteWebhook,
  deliveryRecord,
  listWebhooks,
  requireDelivery,
  requirePosting,
  requireWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookWithSecret,
  webhookRecord,
} from '../../../shared/domain/management/webhooks.ts';
import type { WebhookRecord } from '../../../shared/ports/events.ts';
import { CreateWebhookBody, UpdateWebhookBody } from '../../../shared/schemas/webhooks.ts';
import { type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { type Column, listOutcome, type Outcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const columns = columnsOf<WebhookRecord>(
  'webhook_id',
  'url',
  { heading: 'EVENTS', text: ({ events }) => events.join(' ') || 'all', flexible: true },
  'enabled',
);

const ofDeliveries: readonly Column<ReturnType<typeof deliveryRecord>>[] = [
  { heading: 'DELIVERY', text: ({ delivery_id }) => delivery_id },
  { heading: 'EVENT', text: ({ type }) => type },
  { heading: 'ATTEMPTS', text: ({ attempts }) => String(attempts.length) },
  {
    heading: 'LAST ANSWER',
    text: ({ attempts }) => String(attempts.at(-1)?.status ?? attempts.at(-1)?.error),
  },
];

function withSecret({ webhook, secret }: WebhookWithSecret): Outcome {
  return {
    record: webhookRecord(webhook, secret),
    note: 'Keep secret now: it cannot be shown again. Receivers verify webhook-signature with it (Standard Webhooks).',
  };
}

export const webhook: CommandGroup = {
  name: 'webhook',
  summary: 'addresses to which security-relevant events are posted, signed',
  commands: [
    {
      verb: 'create',
      summary: 'Makes a webhook and shows its secret, this once',
      changes: 'management.changed',
      fields: fieldsOfRecord(CreateWebhookBody),
      examples: [
        '--url https://shop.example.com/hooks/logins',
        '--url https://shop.example.com/hooks --app 0a1b2c --event login.failed --event "user.*"',
      ],
      run: withBody(CreateWebhookBody, async ({ ports, tenant, leave, body, audit }) => {
        const owner = { tenant: await tenant(), leave };
        const made = await createWebhook(ports, owner, body, nowSeconds());
        audit({ recordId: made.webhook.webhookId });
        return withSecret(made);
      }),
    },
    {
      verb: 'list',
      summary: 'Lists the webhooks of the tenant',
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, tenant, page }) =>
        listOutcome(
          await listWebhooks(ports, await tenant(), page),
          (stored) => webhookRecord(stored),
          columns,
        ),
    },
    {
      verb: 'show',
      summary: 'Shows a webhook without its secrets',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => ({
        record: webhookRecord(await requireWebhook(ports, await tenant(), id)),
      }),
    },
    {
      verb: 'update',
      summary: 'Changes a webhook: the given fields, events as a whole',
      changes: 'management.changed',
      id: 'required',
      fields: fieldsOfRecord(UpdateWebhookBody),
      examples: ['0a1b2c --enabled no', "0a1b2c --event ''"],
      run: withBody(UpdateWebhookBody, async ({ ports, tenant, leave, id, body }) => {
        const named = { tenant: await tenant(), webhookId: id, leave };
        return { record: webhookRecord(await updateWebhook(ports, named, body, nowSeconds())) };
      }),
    },
    {
      verb: 'rotate-secret',
      summary: 'Adds a secret and shows it, this once; until the next rotation the one before signs too',
      changes: 'management.changed',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) =>
        withSecret(await rotateWebhookSecret(ports, await tenant(), id, nowSeconds())),
    },
    {
      verb: 'deliveries',
      summary: 'Shows what was posted to a webhook in seven days, newest first, with the last answer',
      id: 'required',
      paged: true,
      examples: ['0a1b2c', '0a1b2c --json'],
      run: async ({ ports, tenant, id, page }) => {
        await requireWebhook(ports, await tenant(), id);
        return listOutcome(await ports.webhookDeliveries.list(id, page), deliveryRecord, ofDeliveries);
      },
    },
    {
      verb: 'test',
      summary: 'Posts an event webhook.tested to a webhook, and to no other',
      changes: 'webhook.tested',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => {
        await requirePosting(ports, await tenant(), id);
        return { done: `It is posted within seconds: otl webhook deliveries ${id}` };
      },
    },
    {
      verb: 'send-again',
      summary: 'Posts an event to a webhook again, with the same ID and a new signature',
      changes: 'webhook.repeated',
      id: 'required',
      required: { 'delivery <id>': 'what otl webhook deliveries shows as DELIVERY' },
      examples: ['0a1b2c --delivery 1795858200000-msg_5Nq0c1f7W3s'],
      run: async ({ ports, tenant, id, option, audit }) => {
        const named = { webhookId: id, deliveryId: option('delivery') ?? '' };
        const { deliveryId } = await requireDelivery(ports, await tenant(), named);
        audit({ deliveryId });
        return { done: `It is posted within seconds: otl webhook deliveries ${id}` };
      },
    },
    {
      verb: 'delete',
      summary: 'Deletes a webhook; what waits for it is dropped',
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the webhook ${id}`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, tenant, id }) => {
        await deleteWebhook(ports, await tenant(), id);
        return { done: `The webhook ${id} is deleted.` };
      },
    },
  ],
};
