import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import { Readable } from 'node:stream';
// Both packages are dependencies of the AWS SDK. A separate dependency could have another version than the SDK clients use.
import { HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Emulator server in this thread. `hasFaults` returns true while faults are injected. */
interface Reached {
  readonly server: Server;
  readonly hasFaults: () => boolean;
}

/** Emulator servers in this thread, by port. Without HTTP, all tests together take a tenth less time. */
const reached = new Map<number, Reached>();

/** Request of the AWS SDK. */
interface Asked {
  readonly method: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const CREATED = channel('http.client.request.created');
const STARTED = channel('http.client.request.start');
const FINISHED = channel('http.client.response.finish');

const lowerCased = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

const toBytes = (body: string | Uint8Array = ''): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

const toStream = (body: Buffer): Readable =>
  new Readable({
    read() {
      this.push(body);
      this.push(null);
    },
  });

/** Minimal replacement for Node's `ClientRequest`, with the properties that listeners to AWS calls read. */
class Request {
  readonly method: string;
  readonly path: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ method, path, headers }: Asked) {
    this.method = method;
    this.path = path;
    this.#headers = lowerCased(headers);
  }

  getHeader(name: string): string | undefined {
    return this.#headers[name];
  }

  /** Ignores the header. Listeners add a header only for injected faults, and this class is not used while there are faults. */
  setHeader(): void {}

  end(_body: Buffer): void {}

  incoming(body: Buffer): Readable & Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> {
    const headers = this.#headers;
    const rawHeaders = Object.entries(headers).flat();
    return Object.assign(toStream(body), { method: this.method, url: this.path, headers, rawHeaders });
  }
}

/** Minimal replacement for Node's `ServerResponse`, with the methods that the emulators use. */
class Response {
  statusCode = 200;
  readonly headers: Record<string, string> = {};
  readonly #settle: (body: string | Error) => void;

  constructor(settle: (body: string | Error) => void) {
    this.#settle = settle;
  }

  setHeader(name: string, value: unknown): void {
    this.headers[name.toLowerCase()] = String(value);
  }

  writeHead(status: number, headers: Readonly<Record<string, unknown>>): void {
    this.statusCode = status;
    Object.assign(this.headers, lowerCased(headers));
  }

  end(body = ''): void {
    this.#settle(body);
  }

  destroy(): void {
    this.#settle(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' }));
  }
}

async function exchange(server: Server, asked: Asked): Promise<{ readonly response: HttpResponse }> {
  const request = new Request(asked);
  CREATED.publish({ request });
  const sent = toBytes(asked.body);
  request.end(sent);
  STARTED.publish({ request });
  const { promise, resolve } = Promise.withResolvers<string | Error>();
  const response = new Response(resolve);
  server.emit('request', request.incoming(sent), response);
  const body = await promise;
  // As over a network, the response must not arrive before the caller's synchronous code has finished.
  await new Promise(setImmediate);
  if (body instanceof Error) throw body;
  FINISHED.publish({ request, response });
  const { statusCode, headers } = response;
  return { response: new HttpResponse({ statusCode, headers, body: toStream(toBytes(body)) }) };
}

const { handle } = NodeHttpHandler.prototype;

NodeHttpHandler.prototype.handle = function (...parameters) {
  const asked = parameters[0] as unknown as Asked;
  const found = asked.hostname === '127.0.0.1' ? reached.get(Number(asked.port)) : undefined;
  return found && !found.hasFaults() ? exchange(found.server, asked) : handle.apply(this, parameters);
};

/** Makes AWS SDK clients call the server without HTTP while no faults are injected. Returns a function that reverts this. */
export function callWithoutHttp(port: number, server: Server, hasFaults: () => boolean): () => void {
  reached.set(port, { server, hasFaults });
  return () => reached.delete(port);
}
