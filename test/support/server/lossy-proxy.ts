import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the response to an executed call is lost: `break` closes the connection, `silence` never responds. */
export type Loss = 'break' | 'silence';

export interface LossyProxy {
  readonly endpoint: string;
  /** Loses the responses to the next `count` calls of an action, after the store has executed the calls. */
  lose(action: string, loss: Loss, count?: number): void;
  /** Sends the last call of an action to the store again, like a network that delivers a retry late. */
  deliverAgain(action: string): Promise<void>;
  /** Number of calls that reached the store, by action. */
  readonly calls: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

function toStore(target: string, headers: IncomingHttpHeaders, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    send(target, { method: 'POST', headers }, resolve).once('error', reject).end(body);
  });
}

/** Starts a proxy in front of a DynamoDB store. The proxy can lose responses and repeat calls. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const losses: { readonly action: string; readonly loss: Loss }[] = [];
  const calls = new Map<string, number>();
  const last = new Map<string, { readonly headers: IncomingHttpHeaders; readonly body: Buffer }>();

  const takeLoss = (action: string): Loss | undefined => {
    const index = losses.findIndex((loss) => loss.action === action);
    return index < 0 ? undefined : losses.splice(index, 1)[0]?.loss;
  };

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const action = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    calls.set(action, (calls.get(action) ?? 0) + 1);
    const loss = takeLoss(action);
    const body = Buffer.concat(await incoming.toArray());
    last.set(action, { headers: incoming.headers, body });
    const received = await toStore(target, incoming.headers, body);
    if (loss === undefined) {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
      return;
    }
    await received.toArray();
    if (loss === 'break') incoming.socket.destroy();
  }

  const server = createServer((incoming, answer) => {
    forward(incoming, answer).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    lose: (action, loss, count = 1) => {
      for (let n = 0; n < count; n += 1) losses.push({ action, loss });
    },
    async deliverAgain(action) {
      const call = last.get(action);
      if (call === undefined) throw new Error(`There was no ${action}`);
      await (await toStore(target, call.headers, call.body)).toArray();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
