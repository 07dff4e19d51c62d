import { expect, test } from '@jest/globals';
import {
  deleteWebhook,
  requireDelivery,
  rotateWebhookSecret,
  withHealth,
} from '../../../shared/domain/management/webhooks.ts';
import type { WebhookHealth } from '../../../shared/ports/events.ts';
import { someTenant, someWebhook, T } from '../../support/server/records.ts';

const webhook = someWebhook();
const { webhookId } = webhook;
const tenant = someTenant(webhook);
const createPorts = (current = webhook, delivery?: object) =>
  ({
    webhookRecords: { find: async () => current, replace: async () => true, remove: async () => false },
    webhookDeliveries: { find: async () => delivery },
    webhookMac: { mac: async (text: string) => Buffer.from(text).toString('base64url') },
  }) as never;

test.each<[string, WebhookHealth | undefined, object]>([
  ['without deliveries', undefined, { state: 'unused' }],
  [
    'that succeeds',
    { lastAt: 0, status: 204 },
    { state: 'delivered', last_attempt_at: '1970-01-01T00:00:00.000Z', status: 204 },
  ],
  [
    'that fails',
    { lastAt: 1, failingSince: 0, error: 'timeout' },
    {
      state: 'failing',
      last_attempt_at: '1970-01-01T00:00:01.000Z',
      failing_since: '1970-01-01T00:00:00.000Z',
      error: 'timeout',
    },
  ],
])('the health of a webhook %s is shown', async (_title, health, expected) => {
  const asked: unknown[] = [];
  const healthOf = async (...given: unknown[]) => {
    asked.push(given);
    return new Map(health && [[webhookId, health]]);
  };
  const ports = { webhookDeliveries: { healthOf } } as never;
  expect((await withHealth(ports, [webhook], T))(webhook).health).toEqual(expected);
  await withHealth(ports, [], T);
  expect(asked).toEqual([[[webhookId], T]]);
});

test('a new secret of a webhook replaces the second last one', async () => {
  const current = { ...webhook, secretVersions: [3, 4] };
  const { webhook: next, secret } = await rotateWebhookSecret(createPorts(current), tenant, webhookId, T);
  expect(next.secretVersions).toEqual([4, 5]);
  expect(secret).toBe(`whsec_${Buffer.from(`webhook\n${webhookId}\n5`).toString('base64')}`);
});

test('only an enabled webhook has deliveries', async () => {
  const find = (current: typeof webhook, delivery?: object) =>
    requireDelivery(createPorts(current, delivery), tenant, { webhookId, deliveryId: 'one' });
  const delivery = {};
  expect(await find(webhook, delivery)).toBe(delivery);
  await expect(find(webhook)).rejects.toMatchObject({ key: 'delivery_not_found' });
  await expect(find({ ...webhook, enabled: false }, delivery)).rejects.toThrow(
    'enabled: the webhook is disabled',
  );
});

test('a webhook cannot be deleted twice, and not by another tenant', async () => {
  await expect(deleteWebhook(createPorts(), tenant, webhookId)).rejects.toMatchObject({
    key: 'webhook_not_found',
  });
  const remove = async () => true;
  const ports = { webhookRecords: { find: async () => webhook, remove } } as never;
  await expect(deleteWebhook(ports, someTenant(), webhookId)).rejects.toMatchObject({
    key: 'webhook_not_found',
  });
});
