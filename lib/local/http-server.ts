import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const FINISH_REQUESTS_WITHIN_MS = 1200;
const CLOSE_IDLE_EVERY_MS = 20;
/** Time in milliseconds that idle connections stay open. If too short, a client may reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;

/** Error that prevents the start of the server or stops the server. The user sees the message of this error. */
export class StartupError extends Error {}

/** Starts an HTTP server and returns its port. Throws a `StartupError` if the port is in use. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new StartupError(
        `Port ${port} is taken. Use another one: PORT=${port + 1} npm start (PORT=0 picks a free port).`,
      );
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Stops a server. Requests in progress have 1.2 seconds to finish, then their connections are closed. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const forceClose = setTimeout(() => server.closeAllConnections(), FINISH_REQUESTS_WITHIN_MS);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(forceClose);
}
