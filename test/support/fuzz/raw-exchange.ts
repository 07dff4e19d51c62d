import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Call } from '../tools/calls.ts';

export interface RawAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly location: string | undefined;
  readonly body: string;
}

/** Returns functions that send calls with the URL unchanged, because fetch would normalise it. `baseUrl` may have a path. */
export function rawExchange(baseUrl: string): {
  exchange(call: Call): Promise<RawAnswer>;
  close(): void;
} {
  const agent = new Agent({ keepAlive: true });
  const { port, host, pathname } = new URL(baseUrl);
  return {
    async exchange({ method, path, headers, body }) {
      const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = request({
        ...{ agent, host: '127.0.0.1', port, method, path: `${pathname}${path}` },
        headers: { host, ...headers, ...length },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response;
        text(response).then(
          (content) =>
            resolve({
              status,
              type: received['content-type'],
              location: received.location,
              body: content,
            }),
          reject,
        );
      });
      sent.end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
