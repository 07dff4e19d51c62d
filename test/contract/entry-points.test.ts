import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { throughEdge } from '../../lib/local/edge.ts';
import { apiEvent, functionUrlEvent, type PlainRequest } from '../../lib/local/events.ts';
import { createRouter } from '../../lib/local/routes.ts';
import { methodsOf } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { extendedTable, loadExtended } from '../support/tools/added-row.ts';
import { authorized, type Call, callOf, EXTENDED, rows, withoutIds } from '../support/tools/calls.ts';
import { inTurn, sample } from '../support/tools/full-run.ts';

/** Events differ by entry point: the two stages of the HTTP API, and the function URL. */

const server = useTestServer(EXTENDED);

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

const route = createRouter(extendedTable);

function plain({ method, path, headers, body = '' }: Call, prefix: string): PlainRequest {
  const rawHeaders = Object.entries({ host: 'id.example.com', ...headers }).flat();
  const target = `${prefix}${path}`;
  return throughEdge({ method, target, rawHeaders, body: Buffer.from(body), sourceIp: '203.0.113.7' });
}

/** The events of one call at each entry point. */
function eventsOf(call: Call): readonly (readonly [string, Event])[] {
  const match = route(call.method, call.path.split('?')[0] ?? '');
  if (!match) throw new Error(`no route for ${call.method} ${call.path}`);
  return [
    ['stage $default', apiEvent(plain(call, ''), match)],
    ['stage cis', apiEvent(plain(call, '/cis'), match)],
    ['function URL', functionUrlEvent(plain(call, ''))],
    ['function URL behind the prefix', functionUrlEvent(plain(call, '/cis'))],
  ];
}

/** Wrong values in fields that differ by entry point: a function must not trust them. */
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
  const events = eventsOf(await authorized(server, row, call));
  // The first call may end something, such as a session.
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

describe.each(sample(rows))('%s', (_name, row) => {
  test('answers alike at each entry point', async () => {
    const { statusCode } = await expectAlike(row, callOf(row));
    expect(statusCode).toBeLessThan(500);
  });

  test('has the request ID of the event', async () => {
    for (const [, event] of eventsOf(await authorized(server, row))) {
      const { headers } = await invoke(row, event);
      expect(headers?.['x-request-id']).toBe(event.requestContext.requestId);
    }
  });

  test('answers another path with 404, for a function URL brings every path', async () => {
    const call = { ...callOf(row), path: '/elsewhere' };
    expect((await invoke(row, functionUrlEvent(plain(call, '')))).statusCode).toBe(404);
  });
});

describe.each(rows.filter(([, row]) => row.reach === 'browser'))(
  '%s, behind its function URL',
  (_name, row) => {
    test.each(['POST', 'PATCH', 'OPTIONS'].filter((method) => !methodsOf(row).includes(method)))(
      'answers %s with 405',
      async (method) => {
        const { statusCode, headers } = await invoke(
          row,
          functionUrlEvent(plain({ ...callOf(row), method }, '')),
        );
        expect(statusCode).toBe(405);
        expect(headers?.allow?.toString().split(', ')).toEqual([...methodsOf(row)]);
      },
    );
  },
);

const withParameter = sample(rows.filter(([, row]) => row.input.path));

describe.each(withParameter)('the parameter in the path of %s', (rowName, row) => {
  const name = /\{(\w+)\}/.exec(String(row.path))?.[1] ?? '';
  const call = callOf(row);
  const withValue = (encoded: string) => {
    const path = String(row.path).replace(/\{\w+\}/, encoded);
    return { ...call, path };
  };

  const values = [
    ['a plus sign, which is no space in a path', 'a+b'],
    ['an encoded plus sign', 'a%2Bb'],
    ['a percent sign that would decode again', 'a%2562'],
    ['a slash', 'a%2Fb'],
    ['a dot segment', '%2E%2E'],
    ['a question mark and a number sign', 'a%3Fb%23c'],
    ['NUL', 'a%00b'],
    ['letters beyond ASCII', 'zo%C3%AB'],
    ['the name of a prototype', '__proto__'],
  ] as const;
  test.each(inTurn(rowName, values))('means the same at each entry point: %s', async (_title, encoded) => {
    await expectAlike(row, withValue(encoded));
  });

  test('that is no UTF-8 leads nowhere', async () => {
    const event = functionUrlEvent(plain(withValue('%FF'), ''));
    expect((await invoke(row, event)).statusCode).toBe(404);
    expect(name).not.toBe('');
  });
});

describe('a user is found by what the path decodes to, once', () => {
  test.each([
    ['ann+shop.%@example.com', 'email', '/v1/users/email/'],
    ['Zoë/%2F 100%', 'username', '/v1/users/username/'],
  ])('%s', async (value, field, path) => {
    const unique = field === 'email' ? newEmail('ann+shop') : value.replaceAll(' ', '_');
    const user = await createUser(server, { [field]: unique });
    const row = rows.find(([, { path: own }]) => String(own).startsWith(path))?.[1];
    if (!row) throw new Error(`no row for ${path}`);
    const call = { method: 'GET', path: `${path}${encodeURIComponent(unique)}`, headers: {} };
    const { body } = await expectAlike(row, call);
    expect(JSON.parse(body ?? '{}').result?.user_id).toBe(user.user_id);
  });
});

describe('parameters of a query', () => {
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
  ])('%s means the same at each entry point', async (query) => {
    if (!row) throw new Error('no list of users');
    await expectAlike(row, { method: 'GET', path: `/v1/users?${query}`, headers: {} });
  });
});

test('N017 what a caller says about its own address or host changes nothing', async () => {
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
      for (const [, event] of eventsOf({ ...honest, headers })) answers.push(await invoke(row, event));
    const [first, ...others] = answers.map(comparable);
    for (const other of others) expect(other).toEqual(first);
    expect(JSON.stringify(answers)).not.toContain('evil.example');
  }
});
