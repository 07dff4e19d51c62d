import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { types } from 'node:util';

/** HTTP servers in this thread, by port. Without sockets, all tests together take a tenth less time. */
const servers = new Map<number, Server>();

subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  const { server } = message as { readonly server: unknown };
  if (!(server instanceof Server)) return;
  const { port } = server.address() as AddressInfo;
  servers.set(port, server);
  server.once('close', () => servers.delete(port));
});

const { fetch: fetchOverSockets } = globalThis;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
const KNOWN_OPTIONS = new Set(['method', 'headers', 'body', 'redirect']);
/** Headers that only make sense for a real connection, or that Node's fetch (undici) rejects. */
const OF_CONNECTIONS = [
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
];
/** Maximum size in bytes of a request that is sent in memory. Larger requests use sockets, so that server limits apply. */
const PLAIN_MAX_BYTES = 8192;
const BODILESS_STATUSES = [204, 205, 304];

/** Runs a function outside the caller's async context, as a server would run it. */
const outside = AsyncLocalStorage.snapshot();

const toBytes = (body: unknown): Buffer | undefined => {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body));
  return types.isUint8Array(body) ? Buffer.from(body) : undefined;
};

interface Asked {
  readonly server: Server;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Converts a simple request to a server in this thread to the request that undici would send. Otherwise returns undefined. */
function toServerRequest(input: unknown, init: RequestInit): Asked | undefined {
  const url = URL.parse(String(input));
  const isHere = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname);
  const server = isHere && url.username === '' ? servers.get(Number(url.port)) : undefined;
  if (!(url && server?.listening) || Object.keys(init).some((name) => !KNOWN_OPTIONS.has(name)))
    return undefined;
  const { method = 'GET', headers: given, body: content } = init;
  const body = toBytes(content);
  const isReading = method === 'GET' || method === 'HEAD';
  if (!METHODS.has(method) || !body || (isReading && content)) return undefined;
  const headers = new Headers(given);
  if (OF_CONNECTIONS.some((name) => headers.has(name))) return undefined;
  complete(headers, url, content);
  if (!isReading) headers.set('content-length', String(body.length));
  const bytes = [...headers].flat().join('').length + url.href.length + body.length;
  return bytes > PLAIN_MAX_BYTES ? undefined : { server, method, url, headers, body };
}

/** Adds the headers that undici would add. */
function complete(headers: Headers, { host }: URL, content: RequestInit['body']): void {
  const type =
    typeof content === 'string'
      ? 'text/plain;charset=UTF-8'
      : content instanceof URLSearchParams && 'application/x-www-form-urlencoded;charset=UTF-8';
  const own = {
    accept: '*/*',
    'accept-language': '*',
    'user-agent': 'node',
    'accept-encoding': 'gzip, deflate',
  };
  for (const [name, value] of Object.entries({ host, ...own, ...(type && { 'content-type': type }) }))
    if (!headers.has(name)) headers.set(name, value);
  headers.set('sec-fetch-mode', 'cors');
  headers.set('connection', 'keep-alive');
}

const SOCKET = { remoteAddress: '127.0.0.1', readable: false } as Socket;

function incoming({ method, url, headers, body }: Asked): IncomingMessage {
  const request = new IncomingMessage(SOCKET);
  const pairs = [...headers];
  Object.assign(request, {
    method,
    url: `${url.pathname}${url.search}`,
    rawHeaders: pairs.flat(),
    headers: Object.fromEntries(pairs),
    complete: true,
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
  request.push(body);
  request.push(null);
  return request;
}

/** Server response that collects the body in memory instead of writing it to a socket. */
class Kept extends ServerResponse {
  readonly #chunks: Buffer[] = [];
  readonly #settle: (body: Buffer | undefined) => void;

  constructor(request: IncomingMessage, settle: (body: Buffer | undefined) => void) {
    super(request);
    this.#settle = settle;
  }

  override write(chunk: string | Uint8Array): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.#chunks.push(Buffer.from(chunk as string));
    return true;
  }

  override end(chunk: unknown = ''): this {
    const last = Buffer.from(chunk as string);
    const hasBody = !BODILESS_STATUSES.includes(this.statusCode);
    if (!this.headersSent && hasBody && !this.hasHeader('content-length'))
      this.setHeader('content-length', last.length);
    this.write(last);
    this.#settle(Buffer.concat(this.#chunks));
    process.nextTick(() => this.emit('finish') && this.emit('close'));
    return this;
  }

  override destroy(): this {
    this.#settle(undefined);
    return this;
  }

  answer(body: Buffer): Response {
    const { req, statusCode: status } = this;
    // @ts-expect-error: this private field of Node.js contains all response headers, including those that Node.js adds.
    const [, ...lines] = String(this._header).trimEnd().split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const end = line.indexOf(':');
      return [line.slice(0, end), line.slice(end + 1)];
    });
    const isEmpty = req.method === 'HEAD' || BODILESS_STATUSES.includes(status);
    return new Response(isEmpty ? null : body, { status, headers, statusText: this.statusMessage });
  }
}

async function exchange(asked: Asked): Promise<Response> {
  // As over a network, the request must not arrive before the caller's synchronous code has finished.
  await new Promise(setImmediate);
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const request = incoming(asked);
  const response = new Kept(request, resolve);
  outside(() => asked.server.emit('request', request, response));
  const body = await promise;
  await new Promise(setImmediate);
  if (!body) throw new TypeError('fetch failed', { cause: new Error('other side closed') });
  return Object.defineProperty(response.answer(body), 'url', { value: asked.url.href });
}

/** Replacement for `fetch` that sends simple requests to servers in this thread without sockets. */
export const fetchInMemory: typeof fetch = async (input, init = {}) => {
  const asked = toServerRequest(input, init);
  if (!asked) return fetchOverSockets(input, init);
  const response = await exchange(asked);
  const location = response.headers.get('location');
  if (init.redirect === 'manual' || location === null) return response;
  const { headers } = init;
  return fetchInMemory(new URL(location, asked.url), asked.method === 'GET' && headers ? { headers } : {});
};
