import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Admits } from './emulators/basis/own-names.ts';
import { type Gateway, HTTP_SERVER } from './gateway.ts';
import { EndError, listen } from './http-server.ts';

/** The operator console on a port of its own, as it has a host of its own in AWS. */

interface ConsoleOptions {
  readonly gateway: Gateway;
  readonly admits: Admits;
  /** Settles once the service answers. */
  readonly ready: Promise<unknown>;
  readonly fail: (response: ServerResponse, error: unknown) => void;
}

/** What its distribution does: every path is one below `/console` of the functions. */
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

/** On the port after that of the service, or a free one where that is taken. `asked`: on this one. */
export async function listenBeside(
  server: Server,
  asked: number | undefined,
  port: number,
  host: string,
): Promise<number> {
  if (asked !== undefined || port === 0) return listen(server, asked ?? 0, host);
  try {
    return await listen(server, port + 1, host);
  } catch (error) {
    if (error instanceof EndError) return listen(server, 0, host);
    throw error;
  }
}
