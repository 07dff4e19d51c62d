// The API for webhooks, which has the same records, rules and secrets as the `otl webhook` commands.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { made, madeApplication, madeWebhook } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { otlWith } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

type Json = Readonly<Record<string, unknown>>;
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const server = useTestServer({ rateLimits: 'off', events: true });
let admin: string;
let receiver: Server;
let address: string;
const received: Received[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
beforeEach(async () => {
  admin = await server.adminToken();
  await server.settleEvents();
  received.length = 0;
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
});

/** Returns the signature that the library `standardwebhooks` computes for a received request. */
function signed(secret: string, { headers, body }: Received): string {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  return new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body);
}

async function receivedAfter(change: () => Promise<unknown>): Promise<readonly Received[]> {
  await server.settleEvents();
  received.length = 0;
  await change();
  await server.settleEvents();
  return [...received];
}

/** URLs in internal networks. The local server allows only loopback addresses. */
const PRIVATE = [
  ...['https://10.0.0.1/', 'https://192.168.1.1/', 'https://169.254.169.254/latest', 'https://0xa.1/'],
  ...['https://[fd00::1]/', 'https://[::ffff:10.0.0.1]/'],
];

const newUser = () => createUser(server, { email: newEmail() });

describe('API operations for webhooks', () => {
  test('an enabled webhook receives signed events', async () => {
    const made = await madeWebhook(server, { url: address, events: ['user.created'] }, admin);
    const path = `/v1/webhooks/${made.webhook_id}`;
    const { secret, ...created } = made;
    const shown = { ...created, health: { state: 'unused' } };
    expect(secret).toMatch(/^whsec_/);
    expect((await server.get(path, { token: admin })).body).toEqual({ result: shown });
    expect((await server.get('/v1/webhooks', { token: admin })).body).toEqual({ result: [shown] });
    const [first] = await receivedAfter(newUser);
    expect(first?.headers['webhook-signature']).toBe(signed(secret, first as Received));
    // Only an event that a webhook subscribes to has the field `webhooks`. The rule for the webhook queue selects such events.
    const { body } = await server.get<{ events: readonly { detail: Json }[] }>(`${server.url}/_local/events`);
    const marked = body.events.map(({ detail }) => detail).filter(({ webhooks }) => webhooks !== undefined);
    expect(marked).toEqual([expect.objectContaining({ type: 'user.created', webhooks: 1 })]);
    expect(body.events.length).toBeGreaterThan(1);
    expect(JSON.parse(first?.body ?? '').data).not.toHaveProperty('webhooks');

    const added = await server.post<{ result: Json }>(`${path}/secrets`, {}, { token: admin });
    expect(added).toMatchObject({ status: 201, body: { result: { live_secrets: 2 } } });
    const next = String(added.body.result.secret);
    const [second] = await receivedAfter(newUser);
    expect(second?.headers['webhook-signature']).toBe(
      [secret, next].map((each) => signed(each, second as Received)).join(' '),
    );
    const last = await server.post<{ result: Json }>(`${path}/secrets`, {}, { token: admin });
    const [third] = await receivedAfter(newUser);
    expect(third?.headers['webhook-signature']).toBe(
      [next, String(last.body.result.secret)].map((each) => signed(each, third as Received)).join(' '),
    );

    const off = await server.put<{ result: Json }>(path, { enabled: false, events: null }, { token: admin });
    expect(off.body.result).toMatchObject({ enabled: false, events: [], live_secrets: 2 });
    expect(off.body.result).not.toHaveProperty('secret');
    expect(await receivedAfter(newUser)).toEqual([]);
    await server.put(path, { enabled: true }, { token: admin });
    expect(await receivedAfter(() => server.delete(path, { token: admin }))).toEqual([]);
    expect((await server.get(path, { token: admin })).status).toBe(404);
  });

  test('creating a webhook publishes an event to the other webhooks', async () => {
    const listening = await madeWebhook(server, { url: address, events: ['management.*'] }, admin);
    const appId = await madeApplication(server);
    const [event] = await receivedAfter(async () => {
      const made = await madeWebhook(server, { url: 'https://hooks.example.com/', app_id: appId }, admin);
      const { code, stdout } = await otlWith({ OTL_ENDPOINT: server.url }, [
        ...['webhook', 'show', made.webhook_id, '--json'],
      ]);
      const { secret: _, ...created } = made;
      const shown = { ...created, health: { state: 'unused' } };
      expect({ code, record: JSON.parse(stdout) }).toEqual({ code: 0, record: shown });
    });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'management.changed',
      data: { operation: 'webhooks/create-webhook', client_id: server.environment.management.client_id },
    });
    await server.delete(`/v1/webhooks/${listening.webhook_id}`, { token: admin });
  });

  test.each([
    [{ url: 'http://hooks.example.com/' }, 'url: must use https, except for localhost'],
    [{ url: 'https://user:pass@hooks.example.com/' }, 'url: must not contain a user name or password'],
    [{ url: 'ftp://hooks.example.com/' }, 'url: must not use the scheme ftp'],
    ...PRIVATE.map((url) => [{ url }, 'url: must be a public https address'] as const),
    [
      { url: 'https://hooks.example.com/', events: ['Login'] },
      'events.0: must be a type such as login.succeeded, or login.*',
    ],
    [{ url: 'https://hooks.example.com/', events: Array(101).fill('login.*') }, /^events: /],
  ])('a webhook with the invalid settings %j is rejected', async (json, message) => {
    const { status, body } = await server.post('/v1/webhooks', json, { token: admin });
    expect(status).toBe(400);
    expect(body).toEqual({
      error_code: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  test.each(PRIVATE)(
    'a webhook or back-channel logout URI with the private address %s is rejected',
    async (url) => {
      const { webhook_id } = await madeWebhook(server, { url: 'https://hooks.example.com/' }, admin);
      const refused = (field: string) => ({
        status: 400,
        body: expect.objectContaining({ message: `${field}: must be a public https address` }),
      });
      const path = `/v1/webhooks/${webhook_id}`;
      expect(await server.put(path, { url }, { token: admin })).toMatchObject(refused('url'));
      expect((await server.get(path, { token: admin })).body).toMatchObject({
        result: { url: 'https://hooks.example.com/' },
      });
      const client = { name: 'Shop', backchannel_logout_uri: url };
      const clients = `/v1/applications/${await madeApplication(server)}/clients`;
      expect(await server.post(clients, client, { token: admin })).toMatchObject(
        refused('backchannel_logout_uri'),
      );
      const { client_id } = await made<{ client_id: string }>(server, clients, { name: 'Shop' });
      const { name: _, ...change } = client;
      expect(await server.put(`${clients}/${client_id}`, change, { token: admin })).toMatchObject(
        refused('backchannel_logout_uri'),
      );
    },
  );
});

test('otl rejects webhook and logout URLs at private addresses, except URLs of local servers', async () => {
  const otl = (...args: string[]) => otlWith({ OTL_ENDPOINT: server.url }, args);
  const hook = (url: string) => otl('webhook', 'create', '--url', url);
  expect(await hook('https://10.0.0.1/')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^otl: url: /),
  });
  expect(await hook(address)).toMatchObject({ code: 0 });
  const client = (uri: string) =>
    otl(
      'client',
      'create',
      '--app',
      server.environment.app_id,
      '--name',
      'x',
      '--backchannel-logout-uri',
      uri,
    );
  expect(await client('https://10.0.0.1/')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('backchannel_logout_uri: must be a public https address'),
  });
  expect(await client(address)).toMatchObject({ code: 0 });
});
