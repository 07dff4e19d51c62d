import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CONSOLE_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import type { HostCheck } from './emulators/basis/own-names.ts';
import type { PlainRequest } from './events.ts';
import { type Gateway, HTTP_SERVER } from './gateway.ts';
import { listen, StartupError } from './http-server.ts';

// The operator console listens on its own port, because it has its own host name when deployed.

interface ConsoleOptions {
  readonly gateway: Gateway;
  readonly admits: HostCheck;
  /** Promise that resolves when the local service can respond to requests. */
  readonly ready: Promise<unknown>;
  readonly fail: (response: ServerResponse, error: unknown) => void;
}

/** Creates the HTTP server of the console. As CloudFront does, the server adds `/console` in front of every path. */
export function createConsole({ gateway, admits, ready, fail }: ConsoleOptions): Server {
  const dispatch = async (request: IncomingMessage, response: ServerResponse) => {
    if (!admits(request, response)) return;
    await ready;
    request.url = `/console${request.url}`;
    await gateway.handle(request, response);
  };
  return createServer(HTTP_SERVER, (request, response) => {
    dispatch(request, response).catch((error: unknown) => fail(response, error));
  });
}

/**
 * Returns true if the operator console sent a request to the service: the form or the access token names the console's client.
 * Requests of `otl` name another client.
 */
export function isCallOfConsole({ rawHeaders, target, body }: PlainRequest): boolean {
  const isLogin = `${target}&${Buffer.from(body)}`.includes(`client_id=${CONSOLE_CLIENT_ID}`);
  const [, claims = ''] = /\nBearer [^.]+\.([^.]+)/.exec(rawHeaders.join('\n')) ?? [];
  return isLogin || Buffer.from(claims, 'base64url').includes(`"client_id":"${CONSOLE_CLIENT_ID}"`);
}

/**
 * Starts the console's server and returns its port. The console gets the requested port or, by default, the port after the
 * service's port. If that default port is in use, the console gets any free port.
 * @param port Port of the service. If the port is 0, the console also gets any free port.
 */
export async function listenForConsole(
  server: Server,
  requestedPort: number | undefined,
  port: number,
  host: string,
): Promise<number> {
  if (requestedPort !== undefined || port === 0) return listen(server, requestedPort ?? 0, host);
  try {
    return await listen(server, port + 1, host);
  } catch (error) {
    if (error instanceof StartupError) return listen(server, 0, host);
    throw error;
  }
}
