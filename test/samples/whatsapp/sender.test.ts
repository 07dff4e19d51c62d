import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProvenUser, newPhoneNumber } from '../../support/fixtures/people.ts';
import { prepareResult, senderEvents, sentByFunction } from '../../support/providers/senders.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off', events: true, environment: sentByFunction });
const APP_SECRET = 'secret of the app';

/** HTTP status with which the emulated WhatsApp API responds. */
let whatsAppStatus = 200;
const received: { readonly to: string; readonly biz_opaque_callback_data: string }[] = [];
let whatsApp: Server;
let handler: (event: object) => Promise<{ readonly outcome?: string; readonly statusCode?: number }>;
let token: string;

beforeAll(async () => {
  whatsApp = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)));
    response.writeHead(whatsAppStatus).end('{}');
  });
  await new Promise<void>((resolve) => whatsApp.listen(0, '127.0.0.1', resolve));
  const GRAPH_URL = `http://127.0.0.1:${(whatsApp.address() as AddressInfo).port}`;
  const CALLBACK_URL = `${server.environment.base_url}/v1/deliveries/callback`;
  const settings = { PHONE_NUMBER_ID: '1', ACCESS_TOKEN: 'a', VERIFY_TOKEN: 'v' };
  Object.assign(process.env, { ...settings, GRAPH_URL, CALLBACK_URL, APP_SECRET });
  ({ handler } = await import(new URL('./sender.mjs', import.meta.url).href));
  token = await server.clientToken();
});
afterAll(() => {
  whatsApp.close();
});

/** Makes the service send a code by SMS. Returns the Lambda event, with which the tests invoke the sample. */
async function codeEvent() {
  const to = newPhoneNumber();
  await createProvenUser(server, { phone_number: to });
  await prepareResult(server, { outcome: 'accepted' });
  const fields = { channel: 'sms', identifier_type: 'phone_number', identifier: to };
  await server.post('/v1/auth/otp/send', fields, { token });
  const [event] = await senderEvents(server, to);
  if (!event) throw new Error('the function was not invoked');
  return event;
}

test.each([
  ['accepts the code', 200, 'accepted', 0],
  ['rejects the code', 400, 'accepted', 1],
  ['fails to send the code', 500, 'unknown', 0],
] as const)(
  'if WhatsApp %s with the status %i, the sample function returns the outcome %s and sends %i SMS',
  async (_, status, outcome, sms) => {
    const event = await codeEvent();
    whatsAppStatus = status;
    expect(await handler(event)).toEqual({ outcome });
    expect(received.at(-1)).toMatchObject({ to: event.to, type: 'template' });
    expect(await server.messages({ to: event.to })).toHaveLength(sms);
  },
);

test('the WhatsApp sample sends notices by SMS, because notices contain no code', async () => {
  const { code: _, ...notice } = await codeEvent();
  const before = received.length;
  expect(await handler(notice)).toEqual({ outcome: 'accepted' });
  expect(received).toHaveLength(before);
  expect(await server.messages({ to: notice.to })).toHaveLength(1);
});

test('the WhatsApp sample forwards only signed delivery reports of WhatsApp to the service', async () => {
  const event = await codeEvent();
  whatsAppStatus = 200;
  await handler(event);
  const { biz_opaque_callback_data } = received.at(-1) ?? {};
  expect(biz_opaque_callback_data?.length).toBeLessThanOrEqual(512);
  const statuses = [{ status: 'delivered', biz_opaque_callback_data }];
  const body = JSON.stringify({ entry: [{ changes: [{ value: { statuses } }] }] });
  const request = { requestContext: { http: { method: 'POST' } }, body };
  expect(await handler({ ...request, headers: {} })).toEqual({ statusCode: 403 });
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;
  expect(await handler({ ...request, headers: { 'x-hub-signature-256': signature } })).toEqual({
    statusCode: 200,
  });
  await server.settleEvents();
  const query = new URLSearchParams({ to: event.to });
  const { body: found } = await server.get<{ result: object[] }>(`/v1/deliveries?${query}`, {
    token: await server.adminToken(),
  });
  expect(found.result[0]).toMatchObject({ type: 'message.delivered', message_id: event.message_id });
});
