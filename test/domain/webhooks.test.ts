import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { post } from '../../functions/events/post-webhook.ts';
import { LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import { isPublicAddress } from '../../shared/domain/basis/public-address.ts';
import { createWebhook } from '../../shared/domain/management/webhooks.ts';
import {
  backoffSeconds,
  isSubscribed,
  WEBHOOK_ATTEMPTS,
  webhookSignature,
} from '../../shared/domain/sending/webhook.ts';
import { RefusedTarget } from '../../shared/outbound/public-request.ts';
import { someTenant, someWebhook } from '../support/server/records.ts';

describe('signatures of webhooks', () => {
  test('a webhook signature matches a test vector from the Standard Webhooks reference libraries', () => {
    // The secret and the expected signature come from the tests of the Standard Webhooks reference libraries.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    expect(webhookSignature(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  test('the Standard Webhooks library accepts a signature of this service', () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const body = '{"type":"login.failed","data":{"name":"Zoë"}}';
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${'A'.repeat(43)}= ${webhookSignature(secret, 'msg_1', timestamp, body)}`,
    };
    const receiver = new Webhook(secret);
    expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature found');
  });

  test('webhook deliveries are retried for one day with increasing delays', () => {
    const delays = Array.from({ length: WEBHOOK_ATTEMPTS - 1 }, (_, index) => backoffSeconds(index + 1));
    expect(delays).toEqual([10, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]);
    expect(backoffSeconds(WEBHOOK_ATTEMPTS)).toBe(28_800);
    const total = delays.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBeGreaterThan(23 * 3600);
    expect(total).toBeLessThanOrEqual(24 * 3600);
    // SQS can delay a message by at most twelve hours (maximum visibility timeout).
    expect(Math.max(...delays)).toBeLessThanOrEqual(12 * 3600);
  });
});

test.each([
  ['is created if the tenant has one webhook fewer than the limit', LIST_LIMIT_MAX - 1, true],
  ['is rejected if the tenant has as many webhooks as the limit', LIST_LIMIT_MAX, false],
])('a new webhook %s', async (_title, count, isCreated) => {
  const put = jest.fn(async () => true);
  const webhookRecords = {
    put,
    list: async () => ({ items: Array.from({ length: count }, () => someWebhook()) }),
  };
  const ports = { webhookRecords, webhookMac: { mac: async () => 'mac' } } as never;
  const creating = createWebhook(
    ports,
    { tenant: someTenant(), localExceptions: {} as never },
    { url: 'https://example.com/' },
    7,
  );
  if (isCreated) expect(await creating).toMatchObject({ webhook: { url: 'https://example.com/' } });
  else await expect(creating).rejects.toThrow(`a tenant has at most ${LIST_LIMIT_MAX} webhooks`);
  expect(put).toHaveBeenCalledTimes(isCreated ? 1 : 0);
});

describe('events that pass the filter of a webhook', () => {
  test.each([
    [[], 'login.failed', true],
    [['login.failed'], 'login.failed', true],
    [['login.*'], 'login.failed', true],
    [['login.*'], 'user.created', false],
    [['login'], 'login.failed', false],
    [['*'], 'user.created', true],
  ])('a webhook with the filter %j receives the event %s (expected: %s)', (events, type, expected) => {
    expect(isSubscribed(someWebhook({ events }), { type })).toBe(expected);
    expect(isSubscribed(someWebhook({ events, enabled: false }), { type })).toBe(false);
  });

  test('a webhook of an application receives only events of this application', () => {
    const webhook = someWebhook({ applicationId: 'shop' });
    expect(isSubscribed(webhook, { type: 'login.failed', application_id: 'shop' })).toBe(true);
    expect(isSubscribed(webhook, { type: 'login.failed', application_id: 'other' })).toBe(false);
    expect(isSubscribed(webhook, { type: 'login.failed' })).toBe(false);
  });
});

describe('URLs that a webhook may target', () => {
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '0.0.0.0'],
    ...['100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '203.0.113.5'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', '::ffff:10.0.0.1', '::ffff:8.8.8.8', 'ff02::1'],
    ...['64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', 'localhost', ''],
    ...['0x8.8.8.8', '4000::1', '2001:4:112::1'],
  ])('a webhook cannot target the private address %s', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'a webhook can target the public address %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  const message = { headers: {}, body: '{}' };
  test.each([
    ['http://hooks.example.com/', 'the address must use https'],
    ['http://localhost:1/', 'the address must use https'],
    ['https://127.0.0.1/', 'the address is not public'],
    ['https://[::1]/', 'the address is not public'],
    ['https://0x7f.1/', 'the address is not public'],
    ['https://2130706433/', 'the address is not public'],
    ['https://169.254.169.254/latest/meta-data/', 'the address is not public'],
  ])('the service does not send a webhook to the URL %s', async (url, reason) => {
    await expect(async () => post({ url, ...message }, false)).rejects.toThrow(new RefusedTarget(reason));
  });

  test('the service does not send a webhook to a host that resolves to a private address', async () => {
    await expect(async () => post({ url: 'https://localhost:1/', ...message }, false)).rejects.toThrow(
      'the host has no public address',
    );
  });

  test('the connection is closed without reading the body of the response', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      response.once('close', resolve).writeHead(299).write('the beginning of a long response');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    expect(await post({ url: `http://127.0.0.1:${port}/`, ...message }, true)).toBe(299);
    await closed;
    server.close();
  });

  test('the local server can send webhooks to localhost', async () => {
    await expect(async () => post({ url: 'http://127.0.0.1:1/', ...message }, true)).rejects.toThrow(
      'ECONNREFUSED',
    );
    await expect(async () => post({ url: 'http://10.0.0.1/', ...message }, true)).rejects.toThrow(
      RefusedTarget,
    );
  });
});
