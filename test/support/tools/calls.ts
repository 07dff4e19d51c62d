import { expect } from '@jest/globals';
import { PUBLIC_CACHE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import type { ErrorDialect } from '../../../shared/errors/catalogue.ts';
import { catalogue, type ErrorKey } from '../../../shared/errors/catalogue.ts';
import { renderError } from '../../../shared/errors/render.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { listAuth } from '../../../shared/http/effective-ports.ts';
import { DEFAULT_PATH, listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import { createOperator, type Operator } from '../fixtures/operators.ts';
import { createUser, newEmail } from '../fixtures/people.ts';
import { type TokenResponse, tokensDirect } from '../fixtures/tokens.ts';
import type { SchemaNode } from '../fuzz/schema-values.ts';
import type { TestAnswer, TestServer, TestServerOptions } from '../server/test-server.ts';
import { extendedTable, loadExtended } from './added-row.ts';
import { listAlternatives, smallestValue } from './fields.ts';

// Generates calls of any operation from its entry in the operation table.

export const rows = Object.entries(extendedTable).filter(([, row]) => row.path !== DEFAULT_PATH);

/** Options of a server with one additional operation and without rate limits. */
export const EXTENDED: TestServerOptions = {
  operations: extendedTable,
  load: loadExtended,
  rateLimits: 'off',
};

type Fields = Readonly<Record<string, unknown>>;

export interface Input {
  readonly path?: Fields;
  readonly query?: Fields;
  readonly json?: unknown;
  readonly form?: Fields;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

function firstAlternative(schema: Operation['input']['json']): SchemaNode | undefined {
  return schema && listAlternatives(schema)[0];
}

type Place = keyof Operation['input'];

/**
 * Returns the parts of a request that an operation reads. An operation with several methods reads either the query of a GET
 * request or the form of a POST request, so `wanted` selects one of the two.
 */
function listInputPlaces(row: Operation, wanted: Place): readonly Place[] {
  const either = listNamedMethods(row).length > 1 && row.input.query && row.input.form;
  const left = wanted === 'query' ? 'form' : 'query';
  return (['path', 'query', 'json', 'form'] as const).filter((place) => !either || place !== left);
}

/**
 * Returns the smallest input that an operation's schemas accept. If `wanted` is `query` and the operation reads either the
 * query or the form, the input contains the query.
 */
export function smallestInput(row: Operation, wanted: Place = 'form'): Input {
  const { input } = row;
  const sample = (schema: Operation['input']['json']) => {
    const node = firstAlternative(schema);
    return node && (smallestValue(node) as Fields);
  };
  return Object.fromEntries(
    listInputPlaces(row, wanted)
      .map((place) => [place, sample(input[place])] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function pairs(fields: Fields = {}): URLSearchParams {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) given.append(name, String(value));
  return given;
}

/** Builds the call that sends an input to an operation. */
export function createCall(row: Operation, input: Input = smallestInput(row)): Call {
  const paths = listPaths(row);
  const given = Object.keys(input.path ?? {});
  // An operation may have several paths. Chooses a path that contains all given parameters.
  const template = paths.find((path) => given.every((name) => path.includes(`{${name}}`))) ?? paths[0] ?? '';
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input.path?.[name])));
  const query = pairs(input.query).toString();
  const target = query === '' ? path : `${path}?${query}`;
  const [first = 'GET'] = listNamedMethods(row);
  if ('json' in input)
    return {
      method: first,
      path: target,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input.json),
    };
  if (input.form)
    return {
      method: 'POST',
      path: target,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: pairs(input.form).toString(),
    };
  return { method: first, path: target, headers: {} };
}

export function withHeaders(call: Call, headers: Readonly<Record<string, string>>): Call {
  return { ...call, headers: { ...call.headers, ...headers } };
}

/** Adds a token if the operation accepts tokens. A user token is new for each call, because the call may end the session. */
export async function authorized(
  server: TestServer,
  row: Operation,
  call: Call = createCall(row),
): Promise<Call> {
  const kind = chooseTokenKind(row);
  if (kind === undefined) return call;
  if (kind === 'operator') return withHeaders(call, await operatorHeaders(server));
  const token = kind === 'user' ? (await logIn(server)).access_token : await knownToken(server, kind);
  return withHeaders(call, { authorization: `Bearer ${token}` });
}

/**
 * Adds a token to a call that will be rejected. Rejected calls do not end the session, so they share one user and session.
 */
export async function authorizedInVain(server: TestServer, row: Operation, call: Call): Promise<Call> {
  const kind = chooseTokenKind(row);
  if (kind === undefined) return call;
  if (kind === 'operator') return withHeaders(call, await operatorHeaders(server));
  return withHeaders(call, { authorization: `Bearer ${await knownToken(server, kind)}` });
}

/** Permissions that a client has only if its permission list names them, even if other clients have all permissions. */
export const GIVEN_APART = ['users:recover', 'users:test'];
export const isGivenApart = (row: Operation): boolean =>
  GIVEN_APART.some((name) => row.permissions?.includes(name));

function chooseTokenKind(row: Operation) {
  const auth = listAuth(row).filter((kind) => kind !== 'client' || !isGivenApart(row));
  return (['client', 'admin', 'user', 'operator'] as const).find((each) => auth.includes(each));
}

/** Logs in a new user. Returns the tokens. */
export async function logIn(server: TestServer): Promise<TokenResponse> {
  const email = newEmail();
  await createUser(server, { email });
  return tokensDirect(server, email);
}

const admins = new WeakMap<TestServer, Promise<Operator>>();

/** Returns the headers of an operator with the highest role. */
async function operatorHeaders(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const admin = admins.get(server) ?? createOperator(server, 'admin');
  admins.set(server, admin);
  return (await admin).headers();
}

const tokens = new WeakMap<TestServer, Map<string, Promise<string>>>();

/** Returns a token of the given type, which is created once per server. */
function knownToken(server: TestServer, kind: 'client' | 'admin' | 'user'): Promise<string> {
  const known = tokens.get(server) ?? new Map<string, Promise<string>>();
  tokens.set(server, known);
  const make = {
    client: server.clientToken,
    admin: server.adminToken,
    user: async () => (await logIn(server)).access_token,
  };
  const token = known.get(kind) ?? make[kind]();
  known.set(kind, token);
  return token;
}

export type AnyAnswer = TestAnswer<Record<string, unknown> | string | undefined>;

/** Sends a call. Checks the request ID, the Cache-Control header and the body, for which all responses have common rules. */
export async function send(server: TestServer, call: Call): Promise<AnyAnswer> {
  const { path, body, ...rest } = call;
  const answer: AnyAnswer = await server.request(path, {
    ...rest,
    ...(body === undefined ? {} : { body: body as string }),
  });
  const { headers } = answer;
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{16,}$/);
  expect(['no-store', `public, max-age=${PUBLIC_CACHE_SECONDS}`]).toContain(headers.get('cache-control'));
  if (answer.status >= 400) expect(headers.get('cache-control')).toBe('no-store');
  if (typeof answer.body === 'object') expect(answer.body).not.toHaveProperty('status');
  return answer;
}

/** Pattern of values that differ in each response: IDs, dates, client secrets and the handle of a logout request. */
const OF_ONE_ANSWER =
  /"(?:[a-z0-9]{25}|\d{4}-\d\d-\d\dT[\d:.]+Z)"|(?<=\blogout_request=|"client_secret":")[\w-]{43}/g;

/** Removes the values that differ between two new records, so that responses to equal requests are equal. */
export const withoutIds = (text: string): string => text.replace(OF_ONE_ANSWER, '"…"');

/** Expects an error in the format of the dialect, optionally with a message that starts with `begin`. */
export function expectError(answer: AnyAnswer, dialect: ErrorDialect, key: ErrorKey, begin?: string): void {
  const { body } = renderError(new ServiceError(key), dialect, undefined);
  const text =
    begin === undefined ? expect.any(String) : expect.stringMatching(new RegExp(`^${literal(begin)}`));
  const spoken = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name.startsWith('error_code') || name === 'error' ? value : text,
    ]),
  );
  const message = Array.isArray(body.message) ? { message: expect.arrayContaining([text]) } : {};
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: catalogue[key].status,
    body: { ...spoken, ...message },
  });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expectTls(answer);
}

/** Expects the HSTS header in a response (N029). */
export const expectTls = ({ headers }: AnyAnswer): void =>
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
