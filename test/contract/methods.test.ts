import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import type { ErrorDialect } from '../../shared/errors/catalogue.ts';
import {
  DEFAULT_PATH,
  listAnsweredMethods,
  listNamedMethods,
  listPaths,
  matchPath,
} from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import {
  type AnyAnswer,
  authorized,
  createCall,
  EXTENDED,
  expectError,
  rows,
  send,
  smallestInput,
  withoutIds,
} from '../support/tools/calls.ts';
import { inTurn, sample, takes } from '../support/tools/full-run.ts';

const server = useTestServer(EXTENDED);

const PREFIXES = ['/cis', ''];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const tableRows = rows.filter(([name]) => name in operations);

/** Fills in the parameters of a path template. Returns the URL with the prefix `/cis` and the URL without a prefix. */
function under(row: Operation, template: string): readonly string[] {
  const origin = new URL(server.environment.base_url).origin;
  const values = smallestInput(row).path ?? {};
  const path = template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? 'x'));
  return PREFIXES.map((prefix) => origin + prefix + path);
}

const targets = (row: Operation) => listPaths(row).flatMap((template) => under(row, template));

/** Headers that may differ between equal responses. A HEAD response has no Content-Length. */
const PASSING = new Set(['connection', 'keep-alive', 'date', 'content-length', 'x-request-id']);

/** Returns the parts of a response that must be equal for equal requests. */
function comparable({ status, headers, body: told }: AnyAnswer) {
  const body = status === 201 ? withoutIds(JSON.stringify(told)) : told;
  const kept = [...headers].filter(([name]) => !PASSING.has(name));
  return { status, body, headers: kept.map(([name, value]) => [name, withoutIds(value)]) };
}

/** Operations with several paths, such as an additional path that a standard defines. */
const withSeveralPaths = rows.filter(([, row]) => listPaths(row).length > 1);

describe.each([...new Set([...withSeveralPaths, ...sample(rows)])])(
  'URL paths of the operation %s',
  (_name, row) => {
    test('an operation with several URLs returns the same response at each URL', async () => {
      const call = await authorized(server, row);
      const query = call.path.split('?')[1];
      // The first call may change the response of later calls, for example by ending the session.
      await send(server, call);
      const answers: AnyAnswer[] = [];
      for (const target of targets(row))
        answers.push(
          await send(server, { ...call, path: query === undefined ? target : `${target}?${query}` }),
        );
      const [one, ...others] = answers.map(comparable);
      expect(others.length).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(one);
      expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length);
    });
  },
);

describe.each(sample(tableRows))('OPTIONS request to the operation %s', (_name, row) => {
  test(`an OPTIONS request returns the allowed methods of its path without AWS calls (CORS: ${row.cors})`, async () => {
    server.resetMetrics();
    const targetsWith = listPaths(row).flatMap((template) =>
      under(row, template).map((path) => [template, path] as const),
    );
    for (const [template, path] of targetsWith) {
      const answer = await send(server, {
        method: 'OPTIONS',
        path,
        headers: { origin: 'https://a.example' },
      });
      expect(answer.status).toBe(204);
      const allowed = answer.headers.get(row.cors === 'none' ? 'allow' : 'access-control-allow-methods');
      expect(allowed?.split(', ').toSorted()).toEqual([...methodsAt(template)].toSorted());
      expect(answer.headers.get('access-control-allow-origin')).toBe(row.cors === 'none' ? null : '*');
    }
    expect(Object.values(server.metrics()).flatMap(({ last }) => last.calls)).toEqual([]);
  });
});

const readable = rows.filter(([, row]) => listNamedMethods(row).includes('GET'));
const isPage = ([, { output }]: readonly [string, Operation]) => 'html' in output || output.status > 300;

describe.each(sample(readable.filter((row) => !isPage(row))))(
  'HEAD request to the operation %s',
  (_name, row) => {
    test('a HEAD request gets the headers of the GET response but no body', async () => {
      const call = { ...(await authorized(server, row)), method: 'GET' };
      const get = comparable(await send(server, call));
      const head = comparable(await send(server, { ...call, method: 'HEAD' }));
      expect(head).toEqual({ ...get, body: undefined });
    });
  },
);

describe.each(readable.filter(isPage))('HEAD request to the page %s', (_name, row) => {
  test('a HEAD request to a page causes no redirect, because mail scanners send HEAD requests', async () => {
    const { status, headers, body } = await send(server, {
      ...createCall(row, smallestInput(row, 'query')),
      method: 'HEAD',
    });
    expect([body, headers.get('location')]).toEqual([undefined, null]);
    expect([200, 204, 400, 403, 404]).toContain(status);
  });
});

describe.each(rows.filter(([, row]) => row.cors === 'any'))(
  'CORS headers of the operation %s',
  (_name, row) => {
    test('scripts from any origin may read the responses of operations that support CORS', async () => {
      const answer = await send(server, await authorized(server, row));
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    });
  },
);

/** Returns all methods of a path. Several operations may share the path. */
function methodsAt(template: string): readonly string[] {
  const there = tableRows.filter(([, row]) => listPaths(row).includes(template));
  return [...new Set(there.flatMap(([, row]) => listAnsweredMethods(row)))];
}

/** Returns true if an operation accepts the method at a path. The path may match literally or by a path parameter. */
function isAnswered(method: string, path: string): boolean {
  const { length } = path.split('/');
  return tableRows.some(
    ([, row]) =>
      listAnsweredMethods(row).includes(method) &&
      listPaths(row).some((own) => own.split('/').length === length && matchPath({ path: own }, path)),
  );
}

const unanswered = tableRows.flatMap(([name, row]) =>
  listPaths(row).flatMap((template) =>
    inTurn(
      name,
      METHODS.filter((method) => !isAnswered(method, template)),
    ).map((method) => [method, template, name, row] as const),
  ),
);

test.each(unanswered.filter((_, index) => takes(index, 4)))(
  'the request %s %s, which the operation %s does not support, gets a 405 response with the allowed methods',
  async (method, template, _name, row) => {
    for (const path of under(row, template)) {
      const answer = await send(server, { method, path, headers: {} });
      expect(new Set(answer.headers.get('allow')?.split(', '))).toEqual(new Set(methodsAt(template)));
      if (method === 'HEAD') expect([answer.status, answer.body]).toEqual([405, undefined]);
      else expectError(answer, row.dialect, 'method_not_allowed');
    }
  },
);

describe('requests to unknown paths', () => {
  const unknown: readonly (readonly [string, ErrorDialect])[] = [
    ['/', 'numeric'],
    ['/nowhere', 'numeric'],
    ['/v1', 'numeric'],
    ['/v1/nowhere', 'numeric'],
    ['/v1/auth/nowhere', 'named'],
    ['/v1/auth/otp/nowhere', 'named'],
    ['/v1/auth/otp/send/nowhere', 'named'],
    ['/v1/auth/otp/send/', 'named'],
    ['/v1/auth/link/email/send/nowhere', 'status-text'],
    ['/v1/users/', 'numeric'],
    ['/v1/users/a/b', 'numeric'],
    ['/v1/users/username/', 'numeric'],
    ['/oidc', 'numeric'],
    ['/oidc/nowhere', 'oauth'],
    ['/oidc/token/nowhere', 'oauth'],
    ['/cis/health', 'numeric'],
    ['/healthy', 'numeric'],
    ['/HEALTH', 'numeric'],
    ['/%2e%2e%2fhealth', 'numeric'],
    ['/health%20', 'numeric'],
    ['/__proto__', 'numeric'],
    ['/$default', 'numeric'],
  ];

  test.each(unknown)(
    'a request to the unknown path %s gets a 404 response in the error format %s',
    async (path, dialect) => {
      const origin = new URL(server.environment.base_url).origin;
      for (const prefix of PREFIXES) {
        // Without a prefix, these paths are the prefix `/cis` or the root of the server.
        if (prefix === '' && (path === '/' || path.startsWith('/cis'))) continue;
        for (const method of ['GET', 'POST', 'DELETE']) {
          const answer = await send(server, { method, path: `${origin}${prefix}${path}`, headers: {} });
          expectError(answer, dialect, 'not_found');
        }
      }
    },
  );

  test('OPTIONS and HEAD requests to an unknown path get a 404 response', async () => {
    for (const method of ['OPTIONS', 'HEAD'])
      expect((await send(server, { method, path: '/nowhere', headers: {} })).status).toBe(404);
  });

  test('a request to an unknown path gets a 404 response even with a valid token', async () => {
    const authorization = `Bearer ${await server.clientToken()}`;
    const answer = await send(server, { method: 'GET', path: '/v1/nowhere', headers: { authorization } });
    expectError(answer, 'numeric', 'not_found');
  });
});

test('exactly one operation handles unknown paths', () => {
  expect(Object.values(operations).filter(({ path }) => path === DEFAULT_PATH)).toHaveLength(1);
});

describe('pages that the API serves to browsers', () => {
  const opened = tableRows.filter(
    ([, row]) => row.reach === 'browser' && listNamedMethods(row).includes('GET') && row.cors === 'none',
  );

  test.each(opened)(
    'a prefetch request from a browser for the page %s gets an empty body',
    async (_name, row) => {
      server.resetMetrics();
      const { query = {} } = smallestInput(row);
      const asked = new URLSearchParams(query as Record<string, string>);
      for (const target of targets(row)) {
        const { status, body } = await server.get(`${target}?${asked}`, {
          headers: { 'sec-purpose': 'prefetch;prerender' },
        });
        expect([status, body]).toEqual([204, undefined]);
      }
      for (const { aws_calls } of Object.values(server.metrics())) expect(aws_calls).toEqual({});
    },
  );
});
