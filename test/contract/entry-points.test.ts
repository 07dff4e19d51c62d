import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { throughEdge } from '../../lib/local/edge.ts';
import { apiEvent, functionUrlEvent, type PlainRequest } from '../../lib/local/events.ts';
import { createRouter } from '../../lib/local/routes.ts';
import { readSettings } from '../../shared/aws/settings.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { listAuth } from '../../shared/http/effective-ports.ts';
import { receive } from '../../shared/http/exchange.ts';
import { listAnsweredMethods } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { extendedTable, loadExtended } from '../support/tools/added-row.ts';
import { authorized, type Call, createCall, EXTENDED, rows, withoutIds } from '../support/tools/calls.ts';
import { inTurn, sample } from '../support/tools/full-run.ts';

// Tests operations at each entry point: the two stages of the HTTP API, and the function URL. Their Lambda events differ.
// Functions accept only calls that came through CloudFront.

const server = useTestServer(EXTENDED);

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

const route = createRouter(extendedTable);

const VIEWER = '203.0.113.7';

/** Builds a request that bypasses CloudFront, so it lacks the CloudFront headers. */
function around({ method, path, headers, body = '' }: Call, prefix = ''): PlainRequest {
  const rawHeaders = Object.entries({ host: 'id.example.com', ...headers }).flat();
  return { method, target: `${prefix}${path}`, rawHeaders, body: Buffer.from(body), sourceIp: VIEWER };
}

const plain = (call: Call, prefix = ''): PlainRequest => throughEdge(around(call, prefix));

function findMatch({ method, path }: Call) {
  const match = route(method, path.split('?')[0] ?? '');
  if (!match) throw new Error(`no route for ${method} ${path}`);
  return match;
}

/** Returns the events of the same call at each entry point. */
function buildEvents(call: Call): readonly (readonly [string, Event])[] {
  const match = findMatch(call);
  return [
    ['stage $default', apiEvent(plain(call), match)],
    ['stage cis', apiEvent(plain(call, '/cis'), match)],
    ['function URL', functionUrlEvent(plain(call))],
    ['function URL behind the prefix', functionUrlEvent(plain(call, '/cis'))],
  ];
}

/** Replaces the event fields that API Gateway parses with wrong values. A function must not read these fields. */
function lying(event: Event): Event {
  return {
    ...event,
    routeKey: 'DELETE /v1/users/{userId}',
    pathParameters: { userId: 'wrong', username: 'wrong', email: 'wrong', thingId: 'wrong' },
    queryStringParameters: { code: 'wrong', limit: '7', cursor: 'wrong' },
    stageVariables: { stage: 'wrong' },
    requestContext: {
      ...event.requestContext,
      routeKey: 'wrong',
      http: { ...event.requestContext.http, path: '/wrong' },
    },
  };
}

async function invoke(row: Operation, event: Event): Promise<Result> {
  const handler = await loadExtended(row.event);
  return (await handler(event, {} as Context)) as Result;
}

function comparable({ headers, body, ...result }: Result) {
  const { 'x-request-id': _, ...others } = headers ?? {};
  const { location } = others;
  const text = body?.replace(/,"http_request_id":"[\w-]+"/, '');
  return {
    ...result,
    body: result.statusCode === 201 ? withoutIds(text ?? '') : text,
    headers: { ...others, ...(location !== undefined && { location: withoutIds(String(location)) }) },
  };
}

async function expectAlike(row: Operation, call: Call): Promise<Result> {
  const events = buildEvents(await authorized(server, row, call));
  // The first call may change the response of later calls, for example by ending the session. So it is not compared.
  for (const [, event] of events.slice(0, 1)) await invoke(row, event);
  const entryPoints = [
    ...events,
    ...events.map(([entryPoint, event]) => [`${entryPoint}, lying`, lying(event)] as const),
  ];
  const results: (readonly [string, Result])[] = [];
  for (const [entryPoint, event] of entryPoints) results.push([entryPoint, await invoke(row, event)]);
  const [first] = results;
  for (const [entryPoint, result] of results)
    expect([entryPoint, comparable(result)]).toEqual([entryPoint, comparable(first?.[1] ?? {})]);
  return first?.[1] ?? {};
}

describe.each(sample(rows))('entry points of the operation %s', (_name, row) => {
  test('an operation returns the same response through the HTTP API and its function URL', async () => {
    const { statusCode } = await expectAlike(row, createCall(row));
    expect(statusCode).toBeLessThan(500);
  });

  test('the X-Request-Id header of a response contains the request ID of the Lambda event', async () => {
    for (const [, event] of buildEvents(await authorized(server, row))) {
      const { headers } = await invoke(row, event);
      expect(headers?.['x-request-id']).toBe(event.requestContext.requestId);
    }
  });

  test('a function URL responds with 404 to the path of another operation', async () => {
    const call = { ...createCall(row), path: '/elsewhere' };
    expect((await invoke(row, functionUrlEvent(plain(call)))).statusCode).toBe(404);
  });
});

describe.each(rows.filter(([, row]) => row.reach === 'browser'))(
  'function URL of the operation %s',
  (_name, row) => {
    test.each(['POST', 'PATCH', 'OPTIONS'].filter((method) => !listAnsweredMethods(row).includes(method)))(
      'a function URL responds with 405 to the unsupported method %s',
      async (method) => {
        const { statusCode, headers } = await invoke(
          row,
          functionUrlEvent(plain({ ...createCall(row), method })),
        );
        expect(statusCode).toBe(405);
        expect(headers?.allow?.toString().split(', ')).toEqual([...listAnsweredMethods(row)]);
      },
    );
  },
);

const withParameter = sample(rows.filter(([, row]) => row.input.path));

describe.each(withParameter)('invalid path parameters of the operation %s', (rowName, row) => {
  const name = /\{(\w+)\}/.exec(String(row.path))?.[1] ?? '';
  const call = createCall(row);
  const withValue = (encoded: string) => {
    const path = String(row.path).replace(/\{\w+\}/, encoded);
    return { ...call, path };
  };

  const values = [
    ['a plus sign', 'a+b'],
    ['an encoded plus sign', 'a%2Bb'],
    ['a double-encoded character', 'a%2562'],
    ['a slash', 'a%2Fb'],
    ['a dot segment', '%2E%2E'],
    ['a question mark and a number sign', 'a%3Fb%23c'],
    ['NUL', 'a%00b'],
    ['non-ASCII letters', 'zo%C3%AB'],
    ['__proto__', '__proto__'],
  ] as const;
  test.each(inTurn(rowName, values))(
    'the HTTP API and the function URL decode the path parameter %s in the same way',
    async (_title, encoded) => {
      await expectAlike(row, withValue(encoded));
    },
  );

  test('a path parameter that is not valid UTF-8 gets a 404 response', async () => {
    const event = functionUrlEvent(plain(withValue('%FF')));
    expect((await invoke(row, event)).statusCode).toBe(404);
    expect(name).not.toBe('');
  });
});

describe('percent-decoding of identifiers in paths', () => {
  test.each([
    ['ann+shop.%@example.com', 'email', '/v1/users/email/'],
    ['Zoë/%2F 100%', 'username', '/v1/users/username/'],
  ])('an identifier in a path is percent-decoded only once: %s', async (value, field, path) => {
    const unique = field === 'email' ? newEmail('ann+shop') : value.replaceAll(' ', '_');
    const user = await createUser(server, { [field]: unique });
    const row = rows.find(([, { path: own }]) => String(own).startsWith(path))?.[1];
    if (!row) throw new Error(`no row for ${path}`);
    const call = { method: 'GET', path: `${path}${encodeURIComponent(unique)}`, headers: {} };
    const { body } = await expectAlike(row, call);
    expect(JSON.parse(body ?? '{}').result?.user_id).toBe(user.user_id);
  });
});

describe('parsing query parameters', () => {
  const row = rows.find(([name]) => name === 'listUsers')?.[1];

  test.each([
    ['limit=2'],
    ['limit=%32'],
    ['%6Cimit=2'],
    ['limit=2&unknown=1'],
    ['limit=2,3'],
    ['limit='],
    ['limit=%FF'],
    ['limit=1&limit=2'],
    ['limit=1&%6Cimit=1'],
    ['&&limit=2&'],
  ])('the HTTP API and function URLs parse the query %s in the same way', async (query) => {
    if (!row) throw new Error('no list of users');
    await expectAlike(row, { method: 'GET', path: `/v1/users?${query}`, headers: {} });
  });
});

test('N017 a caller cannot change the client address or the host with forwarding headers', async () => {
  const spoofed = {
    forwarded: 'for=198.51.100.9;host=evil.example;proto=http',
    'x-forwarded-for': '198.51.100.9',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-original-url': '/oidc/jwks',
    'x-rewrite-url': '/oidc/jwks',
    'x-http-method-override': 'DELETE',
    'cloudfront-viewer-address': '198.51.100.9:1',
    'otl-edge': 'another',
    'otl-viewer-address': '198.51.100.9',
    'true-client-ip': '198.51.100.9',
    host: 'evil.example',
  };
  for (const name of ['discovery', 'listUsers', 'openMagicLink']) {
    const row = extendedTable[name];
    if (!row) throw new Error(`no row ${name}`);
    const honest = await authorized(server, row);
    const answers: Result[] = [];
    for (const headers of [honest.headers, { ...honest.headers, ...spoofed }])
      for (const [, event] of buildEvents({ ...honest, headers })) answers.push(await invoke(row, event));
    const [first, ...others] = answers.map(comparable);
    for (const other of others) expect(other).toEqual(first);
    expect(JSON.stringify(answers)).not.toContain('evil.example');
  }
});

/** Builds a valid call of an operation with additional headers. */
async function callWith(row: Operation, more: Readonly<Record<string, string>> = {}): Promise<Call> {
  const call = await authorized(server, row);
  return { ...call, headers: { ...call.headers, ...more } };
}

const buildEventsAround = (call: Call): readonly Event[] => [
  apiEvent(around(call), findMatch(call)),
  functionUrlEvent(around(call)),
];

async function expectForbidden(row: Operation, call: Call): Promise<void> {
  for (const event of buildEventsAround(call)) {
    const { statusCode, body } = await invoke(row, event);
    expect([statusCode, JSON.parse(body || '{}').message]).toEqual([403, 'Forbidden']);
  }
}

test.each(rows)('the operation %s rejects a call without the CloudFront secret', async (_name, row) => {
  await expectForbidden(row, await callWith(row));
});

describe.each(sample(rows))('calls to the operation %s that bypass CloudFront', (_name, row) => {
  // The response must not reveal whether the token is valid.
  test.each([[{ 'otl-edge': 'another' }], [{ 'otl-edge': '' }], [{ authorization: 'Bearer nonsense' }]])(
    'a call that bypasses CloudFront with the headers %j is rejected',
    async (headers) => {
      await expectForbidden(row, await callWith(row, headers));
    },
  );
});

test.each(rows.filter(([, { cors }]) => cors !== 'none'))(
  'the operation %s responds to a CORS preflight request only if the request came through CloudFront',
  async (_name, row) => {
    const preflight = { ...(await callWith(row)), method: 'OPTIONS' };
    expect((await invoke(row, functionUrlEvent(around(preflight)))).statusCode).toBe(403);
    expect((await invoke(row, functionUrlEvent(plain(preflight)))).statusCode).toBe(204);
  },
);

describe('N017 client address of a request', () => {
  const health = extendedTable.health as Operation;
  const readCallerAddress = async (headers: Readonly<Record<string, string>>, edgeSecretHashes: string) => {
    const settings = readSettings({ ...process.env, EDGE_SECRET_HASHES: edgeSecretHashes });
    const event = functionUrlEvent(around(await callWith(health, headers)));
    const { request, fromEdge } = receive(health, event, settings);
    expect(Object.keys(request.headers).filter((name) => name.startsWith('otl-'))).toEqual([]);
    return [request.sourceAddress, fromEdge];
  };
  const viewer = { 'otl-viewer-address': '198.51.100.9' };
  const hashes = `${hashSecret('old')},${hashSecret('new')}`;

  test.each(['old', 'new'])(
    'if two CloudFront secrets are valid, client addresses sent with the %s secret are trusted',
    async (secret) => {
      expect(await readCallerAddress({ ...viewer, 'otl-edge': secret }, hashes)).toEqual([
        '198.51.100.9',
        true,
      ]);
      const ipv6 = { 'OTL-Viewer-Address': '2001:db8::9', 'OTL-Edge': secret };
      expect(await readCallerAddress(ipv6, hashes)).toEqual(['2001:db8::9', true]);
    },
  );

  test('without a valid CloudFront secret, the client address is the address of the connection', async () => {
    expect(await readCallerAddress({ ...viewer, 'otl-edge': 'wrong' }, hashes)).toEqual([VIEWER, false]);
    expect(await readCallerAddress(viewer, hashes)).toEqual([VIEWER, false]);
    expect(await readCallerAddress({ 'otl-edge': 'new' }, hashes)).toEqual([VIEWER, true]);
    const forged = { 'otl-edge': 'new', 'otl-viewer-address': '198.51.100.9"}\n' };
    expect(await readCallerAddress(forged, hashes)).toEqual([VIEWER, true]);
  });

  test('on a server without CloudFront, the client address is the address of the connection', async () => {
    expect(await readCallerAddress(viewer, 'off')).toEqual([VIEWER, true]);
  });

  test('CloudFront replaces the address header and the secret header that a client sends', async () => {
    const claims = { 'Otl-Edge': 'another', 'OTL-Viewer-Address': '198.51.100.9' };
    const call = await callWith(health, claims);
    for (const [, event] of buildEvents(call)) expect((await invoke(health, event)).statusCode).toBe(200);
    expect(JSON.stringify(plain(call).rawHeaders)).not.toMatch(/another|198\.51/);
    expect((await server.get('/health', { headers: claims })).status).toBe(200);
  });
});

test('a function does not start without the setting EDGE_SECRET_HASHES', () => {
  const { EDGE_SECRET_HASHES: _, ...env } = process.env;
  expect(() => readSettings(env)).toThrow('EDGE_SECRET_HASHES is not set');
  expect(() => readSettings({ ...env, EDGE_SECRET_HASHES: '' })).toThrow('EDGE_SECRET_HASHES is not set');
});

test('operations that can send WWW-Authenticate are available only through the HTTP API', () => {
  const demanding = rows.filter(([, row]) =>
    listAuth(row).some((kind) => kind !== 'none' && kind !== 'login-cookie'),
  );
  expect(demanding.length).toBeGreaterThan(20);
  for (const [name, row] of demanding) expect([name, row.reach]).toEqual([name, 'api']);
});
