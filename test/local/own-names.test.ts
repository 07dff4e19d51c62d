import { request as outgoing } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { useTestServer } from '../support/server/use-test-server.ts';

const server = useTestServer({
  publicOrigin: 'https://login.test:8443',
  hosts: ['laptop.test', 'box.test:3000'],
});

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
}

async function ask(address: string, { headers, method = 'GET', body = '' }: Asked) {
  const request = outgoing(address, { method, headers });
  request.end(body);
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  const answer = await promise;
  const isJson = answer.headers['content-type']?.startsWith('application/json');
  if (!isJson) answer.resume();
  return { status: answer.statusCode, body: isJson ? await json(answer) : undefined };
}

const emulators = () => process.env.AWS_ENDPOINT_URL_SES?.replace(/\/ses$/, '') ?? '';
const STRANGE = [
  'evil.test',
  'evil.test:3000',
  'localhost.evil.test',
  'evil-localhost',
  '127.0.0.2',
  '0.0.0.0',
];

test.each([
  'localhost',
  'LOCALHOST:3000',
  'app.localhost:1',
  '127.0.0.1',
  '127.0.0.1:3000',
  '[::1]:3000',
  'login.test',
  'login.test:8443',
  'laptop.test:80',
  'box.test',
])('the local server accepts requests with the Host header %s', async (host) => {
  expect((await ask(`${server.url}/_local/environment`, { headers: { host } })).status).toBe(200);
  expect((await ask(`${server.url}/health`, { headers: { host } })).status).toBe(200);
});

test.each(STRANGE)('the local server rejects requests with the Host header %s', async (host) => {
  const headers = { host };
  const addresses = ['/_local/environment', '/_local/messages', '/health', '/'].map(
    (path) => server.url + path,
  );
  for (const address of [...addresses, `${emulators()}/messages`, `${emulators()}/dynamodb`]) {
    const { status, body } = await ask(address, { headers });
    expect([address, status]).toEqual([address, 421]);
    expect(body).toEqual({ message: expect.stringContaining(`"${host}"`) });
  }
});

test.each([
  ['POST', '/_local/reset'],
  ['POST', '/_local/clock'],
  ['DELETE', '/_local/messages'],
  ['GET', '/_local/'],
  ['GET', '/_local'],
  ['GET', '/_local?x'],
  ['GET', '/_local/callbacks'],
  ['POST', '/_local/callback'],
  ['POST', '/_local/aws/ses'],
])('the local server rejects %s %s if a page of another site sends the request', async (method, path) => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  const body = '{"advance_seconds":7}';
  expect((await ask(server.url + path, { headers, method, body })).status).toBe(403);
});

test('a page of another site can neither change the local clock nor call an emulator', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const body = '{"advance_seconds":7}';
  expect((await ask(`${server.url}/_local/clock`, { headers, method: 'POST', body })).status).toBe(403);
  const { body: clock } = await ask(`${server.url}/_local/clock`, { headers: {} });
  expect(clock).toMatchObject({ offset_seconds: 0 });
  expect((await ask(`${emulators()}/reset`, { headers, method: 'POST' })).status).toBe(403);
});

test('the callback page and the local service accept requests from other sites, such as social providers', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect((await ask(`${server.url}/_local/callback?code=x`, { headers })).status).toBe(200);
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const posted = await ask(`${server.url}/_local/callback`, {
    headers: form,
    method: 'POST',
    body: 'code=x',
  });
  expect(posted.status).toBe(302);
  expect((await ask(`${server.url}/health`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
    200,
  );
  const plain = { ...headers, 'content-type': 'text/plain' };
  const exchanged = await ask(`${server.url}/_local/callback`, {
    headers: plain,
    method: 'POST',
    body: '{}',
  });
  expect(exchanged.status).toBe(400);
});

test.each(['same-origin', 'same-site', 'none'])(
  'the local server accepts requests with the header Sec-Fetch-Site: %s',
  async (site) => {
    const headers = { 'sec-fetch-site': site };
    expect((await ask(`${server.url}/_local/messages`, { headers })).status).toBe(200);
  },
);

test('the local server and its emulators respond with 400 to a request with two Host headers', async () => {
  for (const address of [`${server.url}/_local/environment`, `${emulators()}/messages`]) {
    const { hostname, port, pathname, host } = new URL(address);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nhost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  }
});
