import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Mode of an emulated table with two regional endpoints ("ends"). `ordered` emulates a strongly consistent global table. Writes
 * that conflict with the other end are rejected, some responses are lost, and one end is sometimes unreachable. `eventual`
 * emulates eventual consistency: the last write of an item wins, so concurrent actions at both ends can both succeed.
 */
export type EndsMode = 'ordered' | 'eventual';

type Attributes = Readonly<Record<string, { readonly S?: string }>>;
interface Call {
  readonly action: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** True if the write changes a counter of the item. */
  readonly counts?: boolean;
  readonly item?: { readonly TableName: string; readonly Key: Attributes };
}
interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * In the mode `ordered`, one in 25 writes loses its response. Writes that count are excluded: their caller would be rejected,
 * so fewer callers than the limit would succeed, but tests expect exactly the limit.
 */
const LOST_ONE_IN = 25;
const COUNTS = /[+-] :/;
// The second end is unreachable during the last `CUT_CALLS` of every `CUT_PERIOD` calls.
const CUT_PERIOD = 200;
const CUT_CALLS = 15;
const TRAVEL_MILLISECONDS = 2;

/** Creates a random generator (mulberry32) that yields the same numbers for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function send(target: string, { headers, body }: Pick<Call, 'headers' | 'body'>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(target, { method: 'POST', headers }, async (answer) => {
      const chunks = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: chunks });
    });
    sent.once('error', reject).end(body);
  });
}

async function readCall(incoming: IncomingMessage): Promise<Call> {
  const body = Buffer.concat(await incoming.toArray());
  const action = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
  const call = { action, headers: incoming.headers, body };
  if (!/^(?:Put|Update|Delete)Item$/.test(action)) return call;
  const { TableName, Key, Item, UpdateExpression = '' } = JSON.parse(body.toString());
  const { pk, sk } = Key ?? Item;
  return { ...call, counts: COUNTS.test(UpdateExpression), item: { TableName, Key: { pk, sk } } };
}

const CONFLICT = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ReplicatedWriteConflictException',
  message: 'One or more items in the request are being modified by a request in another Region.',
});

/**
 * Starts a proxy that sends each call to one of two ends, chosen by the seed. In the mode `ordered`, both ends are the same
 * store.
 */
export async function startTwoEnds(
  mode: EndsMode,
  [one, other = one]: readonly [string, string?],
  seed: number,
) {
  const random = createRandom(seed);
  const ends = [one, other] as const;
  const writing = new Map<string, 0 | 1>();
  const dirty = new Map<string, { readonly end: 0 | 1; readonly call: Call }>();
  let calls = 0;
  let onTheWay = 0;
  let settled = Promise.resolve();

  async function copy({ end, call: { item, headers } }: { readonly end: 0 | 1; readonly call: Call }) {
    const ask = async (target: string, action: string, fields: object) => {
      const { 'content-length': _, ...rest } = headers;
      const given = { ...rest, 'x-amz-target': `DynamoDB_20120810.${action}` };
      return send(target, { headers: given, body: Buffer.from(JSON.stringify(fields)) });
    };
    const read = await ask(ends[end], 'GetItem', { ...item, ConsistentRead: true });
    const { Item } = JSON.parse(read.body.toString());
    const there = ends[end === 0 ? 1 : 0];
    if (Item) await ask(there, 'PutItem', { TableName: item?.TableName, Item });
    else await ask(there, 'DeleteItem', { ...item });
  }

  /** Copies pending changes to the other end. Runs before the first of several concurrent calls. */
  async function settle(): Promise<void> {
    const changes = [...dirty.values()];
    dirty.clear();
    for (const change of changes) await copy(change);
  }

  async function atEnd(call: Call, end: 0 | 1): Promise<Answer | 'lost'> {
    if (mode === 'ordered' && end === 1 && calls % CUT_PERIOD >= CUT_PERIOD - CUT_CALLS) return 'lost';
    if (/Table/.test(call.action) && one !== other) await send(other, call);
    const key = call.item && JSON.stringify(call.item);
    if (key === undefined) return send(ends[/Table/.test(call.action) ? 0 : end], call);
    if (mode === 'eventual') {
      const answer = await send(ends[end], call);
      if (answer.status === 200) dirty.set(key, { end, call });
      return answer;
    }
    const busy = writing.get(key);
    if (busy !== undefined && busy !== end)
      return {
        status: 400,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: Buffer.from(CONFLICT),
      };
    writing.set(key, end);
    try {
      await delay(TRAVEL_MILLISECONDS);
      const answer = await send(one, call);
      return !call.counts && random() * LOST_ONE_IN < 1 ? 'lost' : answer;
    } finally {
      writing.delete(key);
    }
  }

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const call = await readCall(incoming);
    calls += 1;
    const end = random() < 0.5 ? 0 : 1;
    onTheWay += 1;
    if (onTheWay === 1) settled = settle();
    const answer = await settled
      .then(() => atEnd(call, end))
      .finally(() => {
        onTheWay -= 1;
      });
    if (answer === 'lost') return void incoming.socket.destroy();
    const { 'transfer-encoding': _, ...headers } = answer.headers;
    outgoing.writeHead(answer.status, { ...headers, 'content-length': answer.body.length }).end(answer.body);
  }

  const server = createServer((incoming, outgoing) => {
    take(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ATTEMPTS = 100;
const WAIT_MILLISECONDS = 20;

/** Client settings that retry conflicts up to 100 times, because the tests check which caller wins, not which gives up. */
export const patient: DynamoDBClientConfig = {
  retryStrategy: {
    mode: 'until it is over',
    acquireInitialRetryToken: async () => ({ getRetryCount: () => 0, getRetryDelay: () => 0 }),
    async refreshRetryTokenForRetry(before, { errorType }) {
      const tries = before.getRetryCount() + 1;
      if (errorType === 'CLIENT_ERROR' || tries === ATTEMPTS) throw new Error('No retry');
      return { getRetryCount: () => tries, getRetryDelay: () => Math.random() * WAIT_MILLISECONDS };
    },
    recordSuccess: () => {},
  },
};
