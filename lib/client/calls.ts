import type { ClientToken } from './client-token.ts';
import { type Exchange, read } from './exchange.ts';

/** How an operation is called. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** How fields that are not in the path are sent; without it in the query. */
  readonly body?: 'json' | 'form';
  /** What a call shows: a token of the client, or its secret among the fields. */
  readonly proof?: 'token' | 'secret';
}

export interface Operation {
  /** All fields of path, query and body; `accessToken` where a user can call. */
  readonly input: object;
  readonly answer: unknown;
}

export type Operations<Names extends PropertyKey = string> = Readonly<Record<Names, Operation>>;

type Call<Of extends Operation> =
  Partial<Of['input']> extends Of['input']
    ? (input?: Of['input']) => Promise<Of['answer']>
    : (input: Of['input']) => Promise<Of['answer']>;

/** One function for each operation. Errors of each: `ApiError`. */
export type Calls<All extends Operations<keyof All>> = { readonly [Name in keyof All]: Call<All[Name]> };

export interface Caller {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly exchange: Exchange;
  readonly clientToken: ClientToken;
}

type Fields = Readonly<Record<string, unknown>>;

/** A dot segment would lead to another operation (RFC 3986 §5.2.4), an empty one too. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an ID`);
  return encodeURIComponent(value);
}

function asForm(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
  return form;
}

function requestOf({ method, path, body }: Route, fields: Fields) {
  const others = { ...fields };
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete others[name];
    return segment(name, fields[name]);
  });
  const headers: Record<string, string> = {};
  if (body === 'form') return { address, request: { method, headers, body: asForm(others) } };
  if (body === 'json') {
    headers['content-type'] = 'application/json';
    return { address, request: { method, headers, body: JSON.stringify(others) } };
  }
  const query = asForm(others).toString();
  return { address: query === '' ? address : `${address}?${query}`, request: { method, headers } };
}

/** A token of the client that is good no more is replaced once. */
async function call(caller: Caller, route: Route, input: Fields): Promise<unknown> {
  const { clientId: client_id, clientSecret: client_secret, clientToken, exchange } = caller;
  const { accessToken, ...fields } = input;
  const secret = route.proof === 'secret' ? { client_id, client_secret } : {};
  const { address, request } = requestOf(route, { ...fields, ...secret });
  const send = (token: unknown) =>
    exchange(address, { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });

  if (accessToken !== undefined) return read(await send(accessToken));
  if (route.proof !== 'token') return read(await exchange(address, request));
  const token = await clientToken.get();
  const response = await send(token);
  if (response.status !== 401) return read(response);
  await response.body?.cancel();
  clientToken.drop(token);
  return read(await send(await clientToken.get()));
}

export function createCalls<All extends Operations<keyof All>>(
  caller: Caller,
  routes: Readonly<Record<keyof All, Route>>,
): Calls<All> {
  const calls = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (input: Fields = {}) => call(caller, route, input),
  ]);
  return Object.fromEntries(calls);
}
