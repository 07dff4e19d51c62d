import type { ClientToken } from './client-token.ts';
import { readAnswer, type SendRequest } from './exchange.ts';

/** HTTP method, path and encoding of an API operation. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** Encoding of the fields that are not path parameters. If undefined, the fields are sent in the query string. */
  readonly body?: 'json' | 'form';
  /** Credential that the client adds to a call to the operation: its access token, or its ID and secret as body fields. */
  readonly proof?: 'token' | 'secret';
}

/** Types of the input and output of an API operation. */
export interface Operation {
  /** Fields of path, query and body in one object. If a user may call the operation, `accessToken` is one of the fields. */
  readonly input: object;
  readonly answer: unknown;
}

export type Operations<Names extends PropertyKey = string> = Readonly<Record<Names, Operation>>;

/** Function that calls one operation. The argument may be omitted if every field of the input is optional. */
type Call<Called extends Operation> =
  Partial<Called['input']> extends Called['input']
    ? (input?: Called['input']) => Promise<Called['answer']>
    : (input: Called['input']) => Promise<Called['answer']>;

/** One function for each operation of the API. Each function rejects with an `ApiError` if the service rejects the call. */
export type OperationFunctions<All extends Operations<keyof All>> = {
  readonly [Name in keyof All]: Call<All[Name]>;
};

export interface Caller {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly exchange: SendRequest;
  readonly clientToken: ClientToken;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Encodes a value as one segment of a path. An empty value, `.` or `..` would lead to the path of another operation (RFC 3986
 * §5.2.4).
 * @throws TypeError for such a value
 */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an ID`);
  return encodeURIComponent(value);
}

function toForm(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
  return form;
}

function buildRequest({ method, path, body }: Route, fields: Fields) {
  const others = { ...fields };
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete others[name];
    return encodeSegment(name, fields[name]);
  });
  const headers: Record<string, string> = {};
  if (body === 'form') return { address, request: { method, headers, body: toForm(others) } };
  if (body === 'json') {
    headers['content-type'] = 'application/json';
    return { address, request: { method, headers, body: JSON.stringify(others) } };
  }
  const query = toForm(others).toString();
  return { address: query === '' ? address : `${address}?${query}`, request: { method, headers } };
}

/**
 * Calls an operation and returns the JSON of the response. If the service rejects the client's own token with 401, retries once
 * with a new token.
 */
async function call(caller: Caller, route: Route, input: Fields): Promise<unknown> {
  const { clientId: client_id, clientSecret: client_secret, clientToken, exchange } = caller;
  const { accessToken, ...fields } = input;
  const secret = route.proof === 'secret' ? { client_id, client_secret } : {};
  const { address, request } = buildRequest(route, { ...fields, ...secret });
  const send = (token: unknown) =>
    exchange(address, { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });

  if (accessToken !== undefined) return readAnswer(await send(accessToken));
  if (route.proof !== 'token') return readAnswer(await exchange(address, request));
  const token = await clientToken.get();
  const response = await send(token);
  if (response.status !== 401) return readAnswer(response);
  await response.body?.cancel();
  clientToken.drop(token);
  return readAnswer(await send(await clientToken.get()));
}

/** Creates the functions that call the operations of the given routes. */
export function createCalls<All extends Operations<keyof All>>(
  caller: Caller,
  routes: Readonly<Record<keyof All, Route>>,
): OperationFunctions<All> {
  const calls = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (input: Fields = {}) => call(caller, route, input),
  ]);
  return Object.fromEntries(calls);
}
