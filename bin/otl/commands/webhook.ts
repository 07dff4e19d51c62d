import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
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
import { listOutcome, type Outcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const columns = columnsOf<WebhookRecord>(
  'webhook_id',
  'url',
  { heading: 'EVENTS', text: ({ events }) => events.join(' ') || 'all', flexible: true },
  'enabled',
);

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
