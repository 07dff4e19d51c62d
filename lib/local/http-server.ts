import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const FINISH_REQUESTS_WITHIN_MS = 1200;
const CLOSE_IDLE_EVERY_MS = 20;
/** Longer than any pause of a busy machine, so a client does not reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;

/** The server cannot start or go on; the message is for people. */
export class EndError extends Error {}

/** Returns the port. Throws EndError when it is taken. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new EndError(
        `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start (PORT=0 picks a free one).`,
      );
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Lets requests in flight end, for a while; then cuts them off. */
export async function finish(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const patience = setTimeout(() => server.closeAllConnections(), FINISH_REQUESTS_WITHIN_MS);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(patience);
}
