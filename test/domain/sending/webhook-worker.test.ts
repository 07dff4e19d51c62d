import { describe, expect, test } from '@jest/globals';
import { type DeliveryPorts, deliver } from '../../../functions/events/webhooks.ts';
import type { SecurityEvent, Webhook } from '../../../shared/ports/events.ts';
import { someWebhook } from '../../support/server/records.ts';

const tenantId = 'tenant';
const time = '2026-11-28T09:30:00.000Z';
const event: SecurityEvent = {
  id: 'event',
  type: 'user.created',
  time,
  operation: 'test',
  tenant_id: tenantId,
};

/** Creates a worker with the given webhooks, of which `post` answers the requests, and lists its calls. */
function harness(webhooks: readonly Webhook[], post: () => Promise<number> = async () => 200) {
  const calls: unknown[] = [];
  const noting =
    (name: string, answer?: unknown) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return answer;
    };
  const original = { event: { ...event, id: 'original' } };
  const ports = {
    webhooks: {
      find: async (id: string) => webhooks.find(({ webhookId }) => webhookId === id),
      listOf: async (id: string) => webhooks.filter((webhook) => webhook.tenantId === id),
    },
    webhookMac: { mac: async () => 'bWFj' },
    webhookDeliveries: {
      note: async (_: unknown, attempt: unknown) => calls.push(['note', attempt]),
      find: async (...ids: string[]) => (ids.join() === 'hook,delivery' ? original : undefined),
    },
    queue: { delay: noting('delay'), send: noting('send') },
    post: async () => {
      calls.push(['post']);
      return post();
    },
  } as unknown as DeliveryPorts;
  const send = (detail: SecurityEvent, webhook_id?: string) => {
    const message = {
      messageId: 'message',
      receiptHandle: 'receipt',
      body: JSON.stringify({ detail, webhook_id }),
    };
    return deliver(ports, [{ ...message, attributes: { ApproximateReceiveCount: '3' } }]);
  };
  return { calls, ports, send };
}
const webhook = someWebhook({ webhookId: 'hook', tenantId });
const withCode = (error: Error) => Object.assign(error, { code: 'ENOTFOUND' });

describe('messages to one webhook', () => {
  test.each([200, 299])('a webhook that answers %i has the event', async (status) => {
    const { calls, send } = harness([webhook], async () => status);
    expect(await send(event, 'hook')).toEqual([]);
    expect(calls).toEqual([['post'], ['note', { at: expect.any(Number), attempt: 3, status }]]);
  });

  test.each([
    [199, { status: 199 }],
    [300, { status: 300 }],
    [withCode(new Error('no host')), { error: 'ENOTFOUND' }],
    [withCode(new TypeError('no host')), { error: 'TypeError' }],
    [new Error('no code'), { error: 'Error' }],
    ['no error', { error: 'Error' }],
  ])('a message that fails with %p is noted and delayed for the next attempt', async (outcome, noted) => {
    const { calls, send } = harness([webhook], async () => {
      if (typeof outcome !== 'number') throw outcome;
      return outcome;
    });
    expect(await send(event, 'hook')).toEqual(['message']);
    expect(calls).toEqual([
      ['post'],
      ['note', { at: expect.any(Number), attempt: 3, ...noted }],
      ['delay', 'receipt', 300],
    ]);
  });

  test.each([
    ['is disabled', { ...webhook, enabled: false }],
    ['belongs to another tenant', { ...webhook, tenantId: 'other' }],
    ['was deleted', { ...webhook, webhookId: 'other' }],
  ])('a webhook that %s gets no message', async (_, changed) => {
    const { calls, send } = harness([changed]);
    expect(await send(event, 'hook')).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('a message is delivered again if the worker fails', async () => {
    const { ports, send } = harness([webhook]);
    Object.assign(ports.webhookMac, { mac: () => Promise.reject(new Error('KMS')) });
    Object.assign(ports.webhookDeliveries, { note: () => Promise.reject(new Error('DynamoDB')) });
    expect(await send(event, 'hook')).toEqual(['message']);
  });
});

describe('events for all webhooks of a tenant', () => {
  const other = someWebhook({ webhookId: 'other', tenantId });
  const sent = (detail: SecurityEvent, ...ids: string[]) => [
    ['send', ids.map((webhook_id) => JSON.stringify({ detail, webhook_id }))],
  ];

  test('an event is queued once for each subscribed webhook', async () => {
    const { calls, send } = harness([webhook, other, someWebhook({ tenantId, enabled: false })]);
    expect(await send(event)).toEqual([]);
    expect(calls).toEqual(sent(event, 'hook', 'other'));
  });

  test('an event without a subscribed webhook or without a tenant is not queued', async () => {
    const { calls, send } = harness([{ ...webhook, events: ['login.*'] }]);
    const { tenant_id: _, ...withoutTenant } = event;
    for (const each of [event, withoutTenant]) expect(await send(each)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('the request to repeat a delivery queues the original event, if it is still stored', async () => {
    const repeated = { ...event, type: 'webhook.repeated', record_id: 'hook', delivery_id: 'delivery' };
    const { calls, send } = harness([webhook, other]);
    expect(await send(repeated)).toEqual([]);
    expect(await send({ ...repeated, delivery_id: 'gone' })).toEqual([]);
    expect(calls).toEqual(sent({ ...event, id: 'original' }, 'hook'));
  });
});
