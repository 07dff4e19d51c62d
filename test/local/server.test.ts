import { request as outgoing } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { operations } from '../../functions/operations.ts';
import type { Handler } from '../../lib/local/gateway.ts';
import { StartupError } from '../../lib/local/http-server.ts';
import { loadFunction } from '../../lib/local/load-function.ts';
import { startLocalServer } from '../../lib/local/start.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { Operation } from '../../shared/operation.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';

const greet: Operation = {
  section: 'test',
  method: 'GET',
  path: '/v1/greetings/{name}',
  event: 'test/greet',
  area: 'users',
  operationId: 'greet',
  file: 'in-no-folder',
  reach: 'api',
  summary: 'Greets',
  auth: 'none',
  cors: 'none',
  input: {},
  output: { status: 200, json: v.object({ greeting: v.string() }) },
  dialect: 'numeric',
  errors: [],
  uses: [],
};
const begun: string[] = [];
const greeter: Handler = async ({ rawPath, rawQueryString }) => {
  const query = new URLSearchParams(rawQueryString);
  begun.push(rawPath);
  await delay(Number(query.get('after') ?? 0));
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: query.get('body') ?? '{}',
  };
};

let server: TestServer;
const before = { date: Date, table: process.env.DIRECTORY_TABLE };
beforeAll(async () => {
  server = await startTestServer({
    operations: { ...operations, greet },
    load: async (entry) => (entry === greet.event ? greeter : loadFunction(entry)),
    redirectUris: ['https://app.test/cb'],
  });
});
afterEach(() => {
  server.violations.length = 0;
});
afterAll(async () => {
  await server.stop();
  expect(Date).toBe(before.date);
  expect(process.env.DIRECTORY_TABLE).toBe(before.table);
});

/** Requests a page as a browser does. Uses node:http, because fetch cannot set the Host header. */
async function open(path: string, host = new URL(server.url).host, accept = 'text/html,*/*') {
  const request = outgoing(server.url + path, { headers: { host, accept } });
  request.end();
  const [response] = (await new Promise((resolve, reject) => {
    request.on('response', (answer) => resolve([answer])).on('error', reject);
  })) as [import('node:http').IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('starting the local server', () => {
  test('the local server shows the settings of the demo tenant', async () => {
    const { body } = await server.get(`${server.url}/_local/environment`);
    const port = new URL(server.url).port;
    expect(body).toEqual({ ...server.environment, providers: expect.any(Object) });
    expect(body).toEqual({
      base_url: `http://localhost:${port}/cis`,
      issuer: `http://localhost:${port}/cis/oidc`,
      tenant_id: expect.any(String),
      app_id: expect.any(String),
      client_id: expect.any(String),
      client_secret: expect.any(String),
      management: { client_id: expect.any(String), client_secret: expect.any(String) },
      redirect_uris: [
        'http://localhost:8080/complete',
        `http://localhost:${port}/_local/callback`,
        'http://localhost:8080/auth/callback/login',
        'https://app.test/cb',
      ],
      public_client: { client_id: expect.any(String) },
      console_url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      providers: expect.objectContaining({ google: 'Google', line: 'LINE' }),
      post_logout_redirect_uris: ['http://localhost:8080/'],
      origins: ['http://localhost:8080'],
    });
  });

  test('the client and the management client of the local server can get tokens', async () => {
    expect(decodeJwt(await server.clientToken())).toMatchObject({
      sub: server.environment.client_id,
      iss: server.environment.issuer,
    });
    expect(decodeJwt(await server.adminToken())).toMatchObject({
      sub: server.environment.management.client_id,
    });
    server.expectNoViolations();
  });

  test('if its port is in use, the local server exits with a one-sentence message', async () => {
    const port = Number(new URL(server.url).port);
    const refusal = await startLocalServer({ port }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartupError);
    expect(String(refusal)).toContain(`Port ${port} is taken.`);
    expect((await server.get('/health')).status).toBe(200);
  });
});

describe('URLs of the local server', () => {
  test('the local service is available both with and without the prefix /cis', async () => {
    const { version } = packageJson;
    expect((await server.get('/health')).body).toMatchObject({ healthy: true, version });
    expect((await server.get(`${server.url}/health`)).body).toMatchObject({ healthy: true });
  });

  test('the local server serves an operation that was added to the operation table', async () => {
    expect((await server.get('/v1/greetings/you?body={"greeting":"hi"}')).body).toEqual({ greeting: 'hi' });
    server.expectNoViolations();
  });

  test('the local server redirects the paths / and /_local to the inbox', async () => {
    for (const path of ['/', '/_local']) {
      const { status, headers } = await server.get(server.url + path);
      expect([status, headers.get('location')]).toEqual([302, '/_local/']);
    }
  });

  test.each(['/_local/', '/_local/callback?code=x'])(
    'the local page %s loads no other files',
    async (path) => {
      const { status, headers, body } = await server.get<string>(server.url + path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'nonce-/);
      expect(body).not.toMatch(
        /\{\{|<(?:script|img|iframe)[^>]*\bsrc=|<link[^>]*href="(?!data:)|@import|url\(/,
      );
    },
  );

  test('the local server responds with 404 to an unknown path below /_local', async () => {
    expect((await server.get(`${server.url}/_local/nothing`)).status).toBe(404);
  });
});

describe('redirects from 127.0.0.1 to localhost on the local server', () => {
  const port = () => new URL(server.url).port;

  test.each(['/', '/_local/', '/v1/auth/link/email/open?code=x'])(
    'the local server redirects the page %s at 127.0.0.1 to localhost',
    async (path) => {
      const { status, headers } = await open(path);
      expect([status, headers.location]).toEqual([302, `http://localhost:${port()}${path}`]);
    },
  );

  test('the local server does not redirect pages on localhost', async () => {
    expect((await open('/_local/', `localhost:${port()}`)).status).toBe(200);
  });

  test("the local server does not redirect a script's requests from 127.0.0.1", async () => {
    expect((await open('/_local/', undefined, '*/*')).status).toBe(200);
  });

  test('the local server never redirects API calls to localhost', async () => {
    expect((await open('/health')).status).toBe(200);
  });
});

describe('clock of the local server', () => {
  const clock = async (body?: unknown) =>
    server.request<{ now: string; offset_seconds: number }>(`${server.url}/_local/clock`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });

  test('advancing the local clock changes the time of functions, emulators and the server process', async () => {
    const earlier = decodeJwt(await server.clientToken());
    const { body } = await clock({ advance_seconds: 1800 });
    expect(body.offset_seconds).toBe(1800);
    expect((await clock()).body.offset_seconds).toBe(1800);
    const later = decodeJwt(await server.clientToken());
    expect((later.iat ?? 0) - (earlier.iat ?? 0)).toBeGreaterThanOrEqual(1800);
    expect(Math.abs(Date.now() - Date.parse((await clock()).body.now))).toBeLessThan(60_000);

    await server.request(`${server.url}/_local/aws/sns/`, {
      method: 'POST',
      body: new URLSearchParams({ Action: 'Publish', PhoneNumber: '+4930111111', Message: 'late' }),
    });
    const [message] = await server.messages({ to: '+4930111111' });
    expect(Math.abs(Date.now() - Date.parse(message?.created_at ?? ''))).toBeLessThan(60_000);
  });

  test('resetting the local clock deletes everything created in the future, except users', async () => {
    const token = await server.clientToken();
    const email = `${crypto.randomUUID()}@example.com`;
    expect((await server.post('/v1/users', { email }, { token })).status).toBe(201);
    await clock({ advance_seconds: 86_400 });
    const late = await server.clientToken();
    const who = { identifier_type: 'email', identifier: email };
    await server.post('/v1/auth/otp/send', { channel: 'email', ...who }, { token: late });
    expect(await server.messages({ to: email })).toHaveLength(1);
    const back = await server.request<{ offset_seconds: number }>(`${server.url}/_local/clock`, {
      method: 'DELETE',
    });
    expect(back.body.offset_seconds).toBe(0);
    expect(await server.messages({ to: email })).toEqual([]);
    const now = await server.clientToken();
    expect(Math.abs((decodeJwt(now).iat ?? 0) * 1000 - before.date.now())).toBeLessThan(60_000);
    const sent = await server.post<{ code: string }>(
      '/v1/auth/otp/send',
      { channel: 'direct', ...who },
      { token: now },
    );
    const login = { passcode: sent.body.code, ...who };
    expect((await server.post('/v1/auth/otp/authenticate', login, { token: now })).status).toBe(200);
  });

  test.each([[{ advance_seconds: -1 }], [{ advance_seconds: '1' }], [{}], [{ advance_seconds: 1e300 }]])(
    'the local server rejects the clock change %j',
    async (body) => {
      expect((await clock(body)).status).toBe(400);
    },
  );
});

test('DELETE /_local/messages removes all messages from the inbox', async () => {
  const publish = new URLSearchParams({ Action: 'Publish', PhoneNumber: '+4930111112', Message: 'text' });
  await server.request(`${server.url}/_local/aws/sns/`, { method: 'POST', body: publish });
  expect(await server.messages()).not.toEqual([]);
  expect((await server.delete(`${server.url}/_local/messages`)).status).toBe(200);
  expect(await server.messages()).toEqual([]);
});

test('POST /_local/reset restores the initial data, settings and time of the local server', async () => {
  const { app_id } = server.environment;
  const path = `/v1/applications/${app_id}`;
  const token = await server.adminToken();
  const fresh = (await server.get<{ result: object }>(path, { token })).body.result;
  const email = `${crypto.randomUUID()}@example.com`;
  expect((await server.post('/v1/users', { email }, { token })).status).toBe(201);
  expect((await server.put(path, { name: 'Changed', public_signup: false }, { token })).status).toBe(200);
  await server.advanceClock(3600);
  expect((await server.request(`${server.url}/_local/reset`, { method: 'POST' })).status).toBe(200);
  const admin = { token: await server.adminToken() };
  expect((await server.get<{ result: object }>(path, admin)).body.result).toEqual({
    ...fresh,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await server.get<{ result: object[] }>('/v1/users', admin)).body.result).toEqual([]);
  expect(
    (await server.get<{ offset_seconds: number }>(`${server.url}/_local/clock`)).body.offset_seconds,
  ).toBe(0);
  // This call succeeds only if no function still caches the records from before the reset.
  const link = { email, redirect_uri: server.environment.redirect_uris[0], create_new_user: true };
  const sent = await server.post('/v1/auth/otp/email', link, { token: await server.clientToken() });
  expect(sent.status).toBe(200);
});

test('the path /_local/aws forwards AWS SDK calls to the emulators', async () => {
  const client = new DynamoDBClient({
    endpoint: `${server.url}/_local/aws/dynamodb`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'thing' },
  });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  expect(TableNames).toEqual(['directory', 'flows', 'people']);
  client.destroy();
  expect((await server.get(`${server.url}/_local/aws/s3/`)).status).toBe(404);
});

test('requests to /_local/faults inject faults into the emulators and remove faults', async () => {
  const address = `${server.url}/_local/faults`;
  const fault = { service: 'sns', effect: 'error', times: 1 };
  expect((await server.post(address, fault)).body).toEqual({ faults: [fault] });
  expect((await server.delete(address)).body).toEqual({ faults: [] });
  expect((await server.post(address, { service: 'x' })).status).toBe(400);
});

test('a fault that is injected for one operation does not affect other operations', async () => {
  const token = await server.clientToken();
  const fault = { service: 'dynamodb', effect: 'error', operation: 'createUser' } as const;
  await server.faults.inject(fault);
  expect((await server.get('/v1/users', { token })).status).toBe(200);
  const create = () => server.post('/v1/users', { email: 'of-a-fault@example.com' }, { token });
  expect((await create()).status).toBe(503);
  await server.faults.clear();
  await server.faults.inject({ ...fault, times: 1 });
  expect((await create()).status).toBe(201);
  expect((await server.get(`${server.url}/_local/faults`)).body).toEqual({ faults: [] });
});

test('the path /_local/metrics returns the number of AWS calls of each operation', async () => {
  server.resetMetrics();
  await server.clientToken();
  const { body } = await server.get<ReturnType<TestServer['metrics']>>(`${server.url}/_local/metrics`);
  expect(body.token?.requests).toBe(1);
  expect(body.token?.aws_calls).toMatchObject({ 'kms.Sign': 1 });
  expect(body.token?.last.sequential_depth).toBeGreaterThan(0);
});

describe('API responses that violate their schema', () => {
  const readViolations = async (body: string) => {
    await fetch(`${server.url}/v1/greetings/you?body=${encodeURIComponent(body)}`);
    return server.violations;
  };

  test("the local server reports a field of the wrong type as a schema violation, without the field's value", async () => {
    expect(await readViolations('{"greeting":12345678}')).toEqual(['greet: greeting: expected string']);
    expect(() => server.expectNoViolations()).toThrow('greet: greeting');
  });

  test('the local server reports the top-level response field "status" as a schema violation', async () => {
    expect(await readViolations('{"greeting":"hi","status":"ok"}')).toEqual([
      expect.stringContaining('"status"'),
    ]);
  });

  test('the local server reports a response body that is not JSON as a schema violation', async () => {
    expect(await readViolations('{"greeting"')).toEqual([expect.stringContaining('not JSON')]);
  });
});

describe('callback page of the local server', () => {
  test('the callback page exchanges the code of an emailed link, as a backend would do', async () => {
    const token = await server.clientToken();
    await server.post('/v1/users', { email: 'ada@example.com' }, { token });
    const redirect_uri = server.environment.redirect_uris[1];
    const sent = { identifier_type: 'email', identifier: 'ada@example.com', redirect_uri, state: 's' };
    expect((await server.post('/v1/auth/link/email/send', sent, { token })).status).toBe(200);
    const { headers } = await server.get(await server.linkTo('ada@example.com'));
    const location = new URL(headers.get('location') ?? '');
    expect(location.href).toContain(`${redirect_uri}?`);

    const exchange = () =>
      server.post<{ status: number; answer: Record<'id_token' | 'access_token', string> }>(
        `${server.url}/_local/callback`,
        { code: location.searchParams.get('code') },
      );
    const { body } = await exchange();
    expect(body.status).toBe(200);
    const { id_token, access_token } = body.answer;
    type Explained = Record<string, { checks: { passed: boolean }[]; claims: object[] }>;
    const explained = await server.post<Explained>(`${server.url}/_local/tokens`, { id_token, access_token });
    const ofUser = { name: 'email', value: 'ada@example.com' };
    expect(explained.body.id_token?.claims).toContainEqual(expect.objectContaining(ofUser));
    for (const kind of ['id_token', 'access_token'])
      expect(explained.body[kind]?.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect((await exchange()).body.status).toBe(400);
    server.expectNoViolations();
  });
});

test('the local server finishes requests in progress before it closes its port', async () => {
  const answer = server.get('/v1/greetings/last?after=200&body={"greeting":"bye"}');
  while (!begun.includes('/cis/v1/greetings/last')) await delay(5);
  await server.stop();
  expect((await answer).body).toEqual({ greeting: 'bye' });
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();
});
