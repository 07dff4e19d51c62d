// Deliveries to a webhook, test deliveries and redeliveries.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WEBHOOK_DELIVERIES_KEPT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { madeWebhook } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

interface Delivery {
  readonly delivery_id: string;
  readonly message_id: string;
  readonly type: string;
  readonly payload: { readonly data: Readonly<Record<string, unknown>> };
  readonly attempts: readonly {
    readonly attempt: number;
    readonly status?: number;
    readonly error?: string;
  }[];
}

const server = useTestServer({ rateLimits: 'off', events: true });
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let status = 204;
let receiver: Server;
let url: string;
let token: string;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  token = await server.adminToken();
});
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});

const toWebhookPath = (webhookId: string) => `/v1/webhooks/${webhookId}`;
const act = async (path: string) => (await server.post(path, {}, { token })).status;

async function listDeliveries(webhookId: string): Promise<readonly Delivery[]> {
  const path = `${toWebhookPath(webhookId)}/deliveries`;
  const { body } = await server.get<{ readonly result: readonly Delivery[] }>(path, { token });
  return body.result;
}

test('a failed webhook message can be sent again with the same message ID and a new signature', async () => {
  const { webhook_id, secret } = await madeWebhook(server, { url, events: ['user.created'] });
  status = 500;
  received.length = 0;
  const { user_id } = await createUser(server, { email: newEmail() });
  while (received.length === 0) await setTimeout(10);
  status = 204;
  await server.settleEvents();
  const [delivery] = await listDeliveries(webhook_id);
  expect(delivery).toMatchObject({ type: 'user.created', message_id: received[0]?.headers['webhook-id'] });
  expect(delivery?.attempts[0]).toMatchObject({ attempt: 1, status: 500 });
  expect(delivery?.payload.data).toMatchObject({ user_id, source_address: '•••' });

  received.length = 0;
  const again = `${toWebhookPath(webhook_id)}/deliveries/${delivery?.delivery_id}/again`;
  expect(await act(again)).toBe(204);
  await server.settleEvents();
  expect(received).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(headers['webhook-id']).toBe(delivery?.message_id);
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body);
  expect(headers['webhook-signature']).toBe(signature);
  expect(JSON.parse(body).data.user_id).toBe(user_id);
  const [shown] = await listDeliveries(webhook_id);
  expect(shown?.attempts.at(-1)).toMatchObject({ attempt: 1, status: 204 });
  expect(shown?.attempts.length).toBe((delivery?.attempts.length ?? 0) + 1);
});

test('a test delivery is sent only to the webhook for which it was requested', async () => {
  const quiet = await madeWebhook(server, { url, events: ['login.failed'] });
  const all = await madeWebhook(server, { url: `${url}all` });
  await server.settleEvents();
  received.length = 0;
  expect(await act(`${toWebhookPath(quiet.webhook_id)}/test`)).toBe(204);
  await server.settleEvents();
  expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.tested']);
  expect(await listDeliveries(quiet.webhook_id)).toMatchObject([
    { type: 'webhook.tested', attempts: [{ attempt: 1, status: 204 }] },
  ]);
  const [{ delivery_id } = { delivery_id: '' }] = await listDeliveries(quiet.webhook_id);
  expect((await listDeliveries(all.webhook_id)).map(({ type }) => type)).not.toContain('webhook.tested');
  // A delivery cannot be sent again under the path of another webhook.
  expect(await act(`${toWebhookPath(all.webhook_id)}/deliveries/${delivery_id}/again`)).toBe(404);

  await server.put(toWebhookPath(quiet.webhook_id), { enabled: false }, { token });
  expect(await act(`${toWebhookPath(quiet.webhook_id)}/test`)).toBe(400);
  expect(await act(`${toWebhookPath(quiet.webhook_id)}/deliveries/${delivery_id}/again`)).toBe(400);
  await server.delete(toWebhookPath(all.webhook_id), { token });
});

test('for each webhook delivery, at most a hundred attempts are stored', async () => {
  const { webhook_id: webhookId } = await madeWebhook(server, { url, events: ['login.failed'] });
  const { webhookDeliveries } = await server.ports(['webhookDeliveries']);
  const event = { id: 'e', type: 'user.created', time: '2026-11-28T09:30:00.000Z' };
  const note = (attempt: number, at: number) =>
    webhookDeliveries.note({ webhookId, deliveryId: '1-msg', event }, { at, attempt });
  const now = Math.floor(Date.now() / 1000);
  await atOnce(20, (n) => note(n + 1, now));
  const found = await webhookDeliveries.find(webhookId, '1-msg');
  const made = found?.attempts.map(({ attempt }) => attempt).toSorted((one, other) => one - other);
  expect(made).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  for (let n = 20; n < 102; n += 1) await note(n, now);
  expect((await webhookDeliveries.find(webhookId, '1-msg'))?.attempts).toHaveLength(100);
  const old = { webhookId, deliveryId: '0-msg', event };
  await webhookDeliveries.note(old, { at: now - WEBHOOK_DELIVERIES_KEPT_SECONDS - 1, attempt: 1 });
  expect(await webhookDeliveries.find(webhookId, '0-msg')).toBeUndefined();
  expect((await listDeliveries(webhookId)).map(({ delivery_id }) => delivery_id)).toEqual(['1-msg']);
});

describe('health of a webhook in the API', () => {
  interface Health {
    readonly state: string;
    readonly failing_since?: string;
  }
  const readHealth = async (webhookId: string): Promise<Health> => {
    const path = toWebhookPath(webhookId);
    const { body } = await server.get<{ result: { health: Health } }>(path, { token });
    return body.result.health;
  };
  const now = Math.floor(Date.now() / 1000);
  const event = { id: 'e', type: 'user.created', time: '2026-11-28T09:30:00.000Z' };

  /** Creates a webhook and records delivery attempts. A result is an HTTP status or an error, and the age is in seconds. */
  async function attempted(...attempts: readonly (readonly [age: number, result: number | string])[]) {
    const { webhook_id: webhookId } = await madeWebhook(server, { url, events: ['login.failed'] });
    const { webhookDeliveries } = await server.ports(['webhookDeliveries']);
    for (const [age, result] of attempts)
      await webhookDeliveries.note(
        { webhookId, deliveryId: '1-msg', event },
        {
          ...{ at: now - age, attempt: 1 },
          ...(typeof result === 'number' ? { status: result } : { error: result }),
        },
      );
    return webhookId;
  }
  const timeAgo = (age: number) => new Date((now - age) * 1000).toISOString();

  test('a webhook without a recent delivery attempt is reported as unused', async () => {
    expect(await readHealth(await attempted())).toEqual({ state: 'unused' });
    const longAgo: readonly [number, number] = [WEBHOOK_DELIVERIES_KEPT_SECONDS + 1, 500];
    expect(await readHealth(await attempted(longAgo))).toEqual({ state: 'unused' });
  });

  test('the health of a failing webhook shows when the failure began and the last response', async () => {
    const webhookId = await attempted([50, 200], [40, 500], [30, 'ENOTFOUND']);
    const failing = {
      ...{ state: 'failing', error: 'ENOTFOUND' },
      ...{ failing_since: timeAgo(40), last_attempt_at: timeAgo(30) },
    };
    expect(await readHealth(webhookId)).toEqual(failing);
    const { body } = await server.get<{ result: { webhook_id: string; health: Health }[] }>('/v1/webhooks', {
      token,
    });
    expect(body.result.find(({ webhook_id }) => webhook_id === webhookId)?.health).toEqual(failing);
  });

  test('a webhook that has received an event is no longer reported as failing', async () => {
    const webhookId = await attempted([40, 500], [30, 204]);
    expect(await readHealth(webhookId)).toEqual({
      ...{ state: 'delivered', status: 204, last_attempt_at: timeAgo(30) },
    });
  });

  test('an older delivery attempt that is stored late does not change the health of a webhook', async () => {
    const webhookId = await attempted([40, 500], [20, 503], [30, 204]);
    expect(await readHealth(webhookId)).toMatchObject({ failing_since: timeAgo(40), status: 503 });
  });

  test('if several delivery attempts are stored concurrently, the newest one determines the health of the webhook', async () => {
    const webhookId = await attempted();
    const { webhookDeliveries } = await server.ports(['webhookDeliveries']);
    await atOnce(10, (n) =>
      webhookDeliveries.note(
        { webhookId, deliveryId: '1-msg', event },
        { at: now - n, attempt: 1, status: n === 0 ? 204 : 500 },
      ),
    );
    expect(await readHealth(webhookId)).toEqual({
      ...{ state: 'delivered', status: 204, last_attempt_at: timeAgo(0) },
    });
  });
});
