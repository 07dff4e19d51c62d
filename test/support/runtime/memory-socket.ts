import { Agent, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** HTTP servers in this thread, by port. Without real sockets, all tests together take a tenth less time. */
const servers = new Map<number, Server>();

/** Properties of a socket that Node's HTTP implementation reads. */
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

/** Makes HTTP agents connect to the server without real sockets. Returns a function that reverts this. */
export function callInMemory(port: number, server: Server): () => void {
  servers.set(port, server);
  return () => servers.delete(port);
}
