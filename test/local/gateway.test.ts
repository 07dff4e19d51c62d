import { once } from 'node:events';
import { createServer, request as outgoing } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createGateway, type Handler, HTTP_SERVER } from '../../lib/local/gateway.ts';
import type { Operations } from '../../lib/local/routes.ts';
import type { Operation } from '../../shared/operation.ts';

const row = (event: string, columns: Partial<Operation>): Operation => ({
  section: 'test',
  area: 'users',
  method: 'GET',
  path: `/${event}`,
  event,
  operationId: event,
  file: event,
  reach: 'api',
  summary: event,
  auth: 'none',
  cors: 'none',
  input: {},
  output: { status: 204 },
  dialect: 'numeric',
  errors: [],
  uses: [],
  ...columns,
});

const operations: Operations = {
  fallback: row('fallback', { path: '$default' }),
  getUser: row('get-user', { path: '/v1/users/{id}' }),
  getSelf: row('get-self', { path: '/v1/users/me' }),
  getKeyOfUser: row('get-key-of-user', { path: '/v1/users/{id}/keys/{keyId}' }),
  twoPaths: row('two-paths', { path: ['/.well-known/one', '/well/two'] }),
  postEcho: row('post-echo', { method: 'POST', path: '/echo' }),
  open: row('open', { path: '/open/{code}', reach: 'browser', cors: 'any' }),
  slow: row('slow', { path: '/slow' }),
  broken: row('broken', { path: '/broken' }),
  answers: row('answers', { method: 'POST', path: '/answers' }),
};

const special: Record<string, Handler> = {
  slow: () => delay(10_000, undefined, { ref: false }),
  broken: () => Promise.reject(new Error('broken')),
  // This function returns its request body as its result.
  answers: async ({ body = '' }) => JSON.parse(body),
};
const echo = (entry: string) => async (event: APIGatewayProxyEventV2) => ({ entry, event });

const gateway = createGateway({
  operations,
  load: async (entry) => special[entry] ?? echo(entry),
  timeoutMs: 50,
  bodyTimeoutMs: 2000,
});
const server = createServer(HTTP_SERVER, (request, response) => void gateway.handle(request, response));
let port = 0;
let complaints = '';
const consoleError = console.error;

beforeAll(async () => {
  console.error = (...parts: unknown[]) => {
    complaints += parts.join(' ');
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  console.error = consoleError;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

interface Sent {
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

async function send(path: string, { method = 'GET', headers = [], body }: Sent = {}) {
  const request = outgoing({ port, path, method, headers: ['host', 'login.test', ...headers] as never });
  request.end(body);
  const [response] = await once(request, 'response');
  const content = await text(response);
  return { status: response.statusCode, headers: response.headers, content };
}

async function receiveEvent(
  path: string,
  sent?: Sent,
): Promise<{ entry: string; event: APIGatewayProxyEventV2 }> {
  return JSON.parse((await send(path, sent)).content);
}

describe('routes of the emulated gateway', () => {
  test.each([
    ['/v1/users/me', 'get-self'],
    ['/v1/users/4711', 'get-user'],
    ['/cis/v1/users/4711', 'get-user'],
    ['/v1/users/4711/keys/1', 'get-key-of-user'],
    ['/v1/users/4711/keys', 'fallback'],
    ['/v1/users/', 'fallback'],
    ['/.well-known/one', 'two-paths'],
    ['/cis/well/two', 'two-paths'],
    ['/cisterna/well/two', 'fallback'],
    ['/', 'fallback'],
    ['/cis', 'fallback'],
    ['/v1/users/me?x=/v1', 'get-self'],
  ])('the emulated gateway sends a GET request for %s to the function %s', async (path, entry) => {
    expect((await receiveEvent(path)).entry).toBe(entry);
  });

  test('the emulated gateway sends a request with an unknown method to the $default function', async () => {
    expect((await receiveEvent('/echo', { method: 'DELETE' })).event.routeKey).toBe('$default');
  });

  test('the emulated gateway sends a HEAD request to the GET operation and returns no body', async () => {
    const { status, content, headers } = await send('/v1/users/1', { method: 'HEAD' });
    expect({ status, content }).toEqual({ status: 200, content: '' });
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });

  test('the emulated gateway sends an OPTIONS request to $default if the operation does not support CORS', async () => {
    expect((await receiveEvent('/open/1', { method: 'OPTIONS' })).entry).toBe('open');
    expect((await receiveEvent('/echo', { method: 'OPTIONS' })).entry).toBe('fallback');
  });
});

describe('HTTP API events that the emulated gateway builds', () => {
  test('an HTTP API event for the stage $default has the fields of an API Gateway event', async () => {
    const { event } = await receiveEvent('/v1/users/a%20b?x=1&y=2&x=%C3%A4&z', {
      headers: ['user-agent', 'me/1'],
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /v1/users/{id}',
      rawPath: '/v1/users/a b',
      rawQueryString: 'x=1&y=2&x=%C3%A4&z',
      queryStringParameters: { x: '1,ä', y: '2', z: '' },
      pathParameters: { id: 'a b' },
      isBase64Encoded: false,
      requestContext: {
        domainName: 'login.test',
        routeKey: 'GET /v1/users/{id}',
        stage: '$default',
        http: { method: 'GET', path: '/v1/users/a b', sourceIp: '127.0.0.1', userAgent: 'me/1' },
      },
    });
    expect(event.requestContext.time).toMatch(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(Math.abs(Date.now() - event.requestContext.timeEpoch)).toBeLessThan(60_000);
    expect(event).not.toHaveProperty('body');
    expect(event).not.toHaveProperty('cookies');
  });

  test('an HTTP API event for the stage cis keeps the prefix /cis in its path', async () => {
    const { event } = await receiveEvent('/cis/v1/users/7');
    expect(event.rawPath).toBe('/cis/v1/users/7');
    expect(event.requestContext.stage).toBe('cis');
    expect(event.routeKey).toBe('GET /v1/users/{id}');
    expect(event).not.toHaveProperty('queryStringParameters');
  });

  test('the emulated gateway percent-decodes a path only once', async () => {
    expect((await receiveEvent('/v1/users/%252e')).event.rawPath).toBe('/v1/users/%2e');
  });

  test('an emulated HTTP API invokes no function for a path with invalid percent-encoding', async () => {
    const { status, content } = await send('/v1/users/%zz');
    expect({ status, content }).toEqual({ status: 400, content: '{"message":"Bad Request"}' });
  });

  test('an HTTP API event has lower-case header names, joined repeated headers and separate cookies', async () => {
    const { event } = await receiveEvent('/v1/users/1', {
      headers: ['X-Tag', 'one', 'x-tag', 'two', 'Authorization', 'A', 'authorization', 'B'].concat([
        'Cookie',
        'a=1; b=2',
        'cookie',
        'c=x,y',
      ]),
    });
    expect(event.headers).toMatchObject({ 'x-tag': 'one,two', authorization: 'A,B', host: 'login.test' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['a=1', 'b=2', 'c=x,y']);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/problem+json',
  ])('an HTTP API event contains a body of the content type %s as text', async (type) => {
    const { event } = await receiveEvent('/echo', {
      method: 'POST',
      headers: ['content-type', type],
      body: '"ä"',
    });
    expect({ body: event.body, isBase64Encoded: event.isBase64Encoded }).toEqual({
      body: '"ä"',
      isBase64Encoded: false,
    });
  });

  test.each([
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'image/png',
    'application/jsonp',
  ])('an HTTP API event contains a body of the content type %s as base64', async (type) => {
    const { event } = await receiveEvent('/echo', {
      method: 'POST',
      headers: ['content-type', type],
      body: 'a=b',
    });
    expect({ body: event.body, isBase64Encoded: event.isBase64Encoded }).toEqual({
      body: 'YT1i',
      isBase64Encoded: true,
    });
  });

  test('a request body that is not valid UTF-8 reaches the function unchanged, with any content type', async () => {
    const body = Uint8Array.of(0x22, 0xff, 0x22);
    const headers = ['content-type', 'application/json'];
    const { event } = await receiveEvent('/echo', { method: 'POST', headers, body });
    expect(Buffer.from(event.body ?? '', 'base64')).toEqual(Buffer.from(body));
  });

  test('the emulated gateway rejects a body of more than 10 MB', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    const { status, content } = await send('/echo', { method: 'POST', body });
    expect({ status, content }).toEqual({ status: 413, content: '{"message":"Request Entity Too Large"}' });
  });
});

describe('Lambda function URL events that the emulated gateway builds', () => {
  test('a function URL event contains the percent-encoded path, no route and no path parameters', async () => {
    const { event } = await receiveEvent('/cis/open/a%20b?x=1', { headers: ['cookie', 's=1'] });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/cis/open/a%20b',
      rawQueryString: 'x=1',
      cookies: ['s=1'],
      requestContext: { routeKey: '$default', stage: '$default', http: { path: '/cis/open/a%20b' } },
    });
    expect(event.requestContext.domainName).toMatch(/\.lambda-url\./);
    expect(event).not.toHaveProperty('pathParameters');
  });

  test('a function URL event may contain a path with invalid percent-encoding', async () => {
    expect((await receiveEvent('/open/%zz')).event.rawPath).toBe('/open/%zz');
  });
});

describe('responses that the emulated gateway returns', () => {
  const headers = ['content-type', 'application/json'];
  const answering = (result: unknown) =>
    send('/answers', { method: 'POST', headers, body: JSON.stringify(result) });

  test('the emulated gateway returns the status, headers, cookies and body of the function’s response', async () => {
    const { status, headers, content } = await answering({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'X-Count': 3, 'X-Flag': true },
      cookies: ['a=1; Path=/', 'b=2'],
      body: '{"ä":1}',
    });
    expect({ status, content }).toEqual({ status: 201, content: '{"ä":1}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-count': '3',
      'x-flag': 'true',
      'content-length': '8',
      'set-cookie': ['a=1; Path=/', 'b=2'],
    });
  });

  test('the emulated gateway decodes the base64 body of a function’s response', async () => {
    const { content } = await answering({ statusCode: 200, body: 'aGk=', isBase64Encoded: true });
    expect(content).toBe('hi');
  });

  test('the emulated gateway sends a function response without a content type as plain text', async () => {
    const { headers } = await answering({ statusCode: 200, body: 'hi' });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('the emulated gateway sends a 204 response without a body and without a content type', async () => {
    const { status, headers, content } = await answering({ statusCode: 204 });
    expect({ status, content }).toEqual({ status: 204, content: '' });
    expect(headers).not.toHaveProperty('content-type');
  });

  test('if a function result has no statusCode, the emulated gateway sends the result as a JSON body', async () => {
    const { status, headers, content } = await answering({ any: 'thing' });
    expect({ status, content }).toEqual({ status: 200, content: '{"any":"thing"}' });
    expect(headers['content-type']).toBe('application/json');
  });

  test('if a function throws, the emulated gateway responds with 500 and does not reveal the reason', async () => {
    const { status, content } = await send('/broken');
    expect({ status, content }).toEqual({ status: 500, content: '{"message":"Internal Server Error"}' });
    expect(complaints).toContain('broken failed');
  });

  test('if a function takes too long, the emulated gateway responds with 503', async () => {
    const { status, content } = await send('/slow');
    expect({ status, content }).toEqual({ status: 503, content: '{"message":"Service Unavailable"}' });
  });

  test('the emulated gateway keeps working after a caller disconnects in the middle of a request body', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await once(socket, 'connect');
    socket.destroy();
    expect((await send('/v1/users/me')).status).toBe(200);
  });
});

describe('AWS limits that the emulated gateway enforces', () => {
  test('the emulated gateway responds with 413 to a URL of more than 8,192 bytes', async () => {
    const path = (bytes: number) => `/open/${'a'.repeat(bytes - 'https://login.test/open/'.length)}`;
    expect((await send(path(8192))).status).toBe(200);
    expect((await send(path(8193))).status).toBe(413);
  });

  test('an emulated HTTP API responds with 431 to more than 10,240 bytes of request line and headers', async () => {
    const long = ['x-one', 'a'.repeat(5000), 'x-two', 'b'.repeat(5200)];
    expect((await send('/v1/users/me', { headers: ['x-one', 'a'.repeat(10_000)] })).status).toBe(200);
    expect((await send('/v1/users/me', { headers: long })).status).toBe(431);
    expect((await send('/open/1', { headers: long })).status).toBe(200);
  });

  test('the emulated gateway responds with 413 if request line and headers exceed 20,480 bytes', async () => {
    const of = (bytes: number) => {
      const line = 'GET /open/1 HTTP/1.1';
      const others = ['host', 'login.test', 'Connection', 'keep-alive', 'x-one', 'x-two', 'a'.repeat(10_000)];
      return ['x-one', 'a'.repeat(10_000), 'x-two', 'b'.repeat(bytes - `${line}${others.join('')}`.length)];
    };
    expect((await send('/open/1', { headers: of(20_480) })).status).toBe(200);
    expect((await send('/open/1', { headers: of(20_481) })).status).toBe(413);
  });

  test('the emulated gateway ends a request whose body does not arrive in time', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /echo HTTP/1.1\r\nHost: login.test\r\nContent-Length: 10\r\n\r\n{"a"');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

test('without a $default operation, the emulated gateway responds with 404 to an unknown path', async () => {
  const bare = createGateway({ operations: {}, load: async () => echo('none') });
  const alone = createServer((request, response) => void bare.handle(request, response)).listen(
    0,
    '127.0.0.1',
  );
  await once(alone, 'listening');
  const response = await fetch(`http://127.0.0.1:${(alone.address() as AddressInfo).port}/x`);
  expect([response.status, await response.text()]).toEqual([404, '{"message":"Not Found"}']);
  alone.closeAllConnections();
  alone.close();
  await once(alone, 'close');
});

describe('WWW-Authenticate header in responses of the emulated gateway', () => {
  const challenged = (statusCode: number, headers: Record<string, string>) =>
    JSON.stringify({ statusCode, headers: { 'WWW-Authenticate': 'Bearer', ...headers }, body: '{}' });
  const answer = (body: string) =>
    send('/answers', { method: 'POST', headers: ['content-type', 'application/json'], body });

  test.each([401, 403])(
    'in a %d response, the emulated gateway renames the header WWW-Authenticate to otl-challenge',
    async (status) => {
      const lost = await answer(challenged(status, {}));
      expect([lost.status, lost.headers['www-authenticate']]).toEqual([status, undefined]);
      const kept = await answer(challenged(status, { 'otl-challenge': 'Bearer' }));
      expect([kept.status, kept.headers['www-authenticate']]).toEqual([status, 'Bearer']);
      expect(kept.headers).not.toHaveProperty('otl-challenge');
    },
  );

  test('the emulated gateway removes WWW-Authenticate from responses other than 401 and 403', async () => {
    const { headers } = await answer(challenged(400, { 'otl-challenge': 'Bearer' }));
    expect(headers).not.toHaveProperty('www-authenticate');
  });
});
