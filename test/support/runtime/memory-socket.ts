import { Agent, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** By port: servers of this thread. A call of one through the kernel took a tenth of the time of all tests. */
const servers = new Map<number, Server>();

/** What HTTP asks of a socket beside its bytes. */
const SOCKET = {
  remoteAddress: '127.0.0.1',
  setTimeout: asked,
  setKeepAlive: asked,
  setNoDelay: asked,
  ref: asked,
  unref: asked,
};

function asked(this: Duplex): Duplex {
  return this;
}

function connectTo(server: Server): Duplex {
  const [ours, theirs] = duplexPair();
  server.emit('connection', Object.assign(theirs, SOCKET));
  return Object.assign(ours, SOCKET);
}

type Connect = (options: { readonly host?: string; readonly port?: number | string }) => Duplex;
const agents = Agent.prototype as unknown as { createConnection: Connect };
const { createConnection } = agents;

agents.createConnection = function (this: Agent, ...parameters) {
  const [{ host, port }] = parameters;
  const server = host === '127.0.0.1' ? servers.get(Number(port)) : undefined;
  return server ? connectTo(server) : createConnection.apply(this, parameters);
};

/** From now on agents of HTTP reach the server without the kernel. Returns what ends that. */
export function callInMemory(port: number, server: Server): () => void {
  servers.set(port, server);
  return () => servers.delete(port);
}
