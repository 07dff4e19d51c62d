import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLeanSend } from '../../../shared/sdk/lean-client.ts';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly body: string;
}
export type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;
type Send = (command: object) => Promise<object>;

export const KEYS = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token' };
const REGION = 'eu-central-1';

export const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-requestid': 'R1',
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
export const fault = (status: number, type: string, more: object = {}) =>
  json(status, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no', ...more });
export const raw =
  (status: number, body: string): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
let script: readonly Answer[];
let sent: Sent[];
const server = createServer(async (request, response) => {
  const body = await text(request);
  // Without a Date header, so that the minimal AWS client does not correct the clock that a test has set.
  response.sendDate = false;
  sent.push({ headers: request.headers as Record<string, string>, path: request.url ?? '', body });
  script[Math.min(sent.length, script.length) - 1]?.(response, request, body);
});
let endpoint: string;

/** Starts an HTTP server that returns scripted responses, before the tests of the calling file. */
export function useScriptedService(): void {
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
}
export const settings = (requestTimeout = 5000): DynamoDBClientConfig => ({
  endpoint,
  region: REGION,
  credentials: KEYS,
  maxAttempts: 3,
  retryMode: 'standard',
  requestHandler: { requestTimeout, throwOnRequestTimeout: true },
});

const timeless = (metadata: object = {}) =>
  'totalRetryDelay' in metadata
    ? { ...metadata, totalRetryDelay: Number(metadata.totalRetryDelay) > 0 }
    : metadata;

/** Returns the result or error of an AWS call, without the parts that differ from call to call. */
export async function settleCall(call: Promise<object>): Promise<object> {
  try {
    const answer = (await call) as { $metadata?: object };
    return { answer: { ...answer, $metadata: timeless(answer.$metadata) } };
  } catch (thrown) {
    const error = thrown as Error & Record<string, unknown>;
    const { name, message, code, $metadata, $fault, Item } = error;
    const status = (error.$response as { statusCode?: number } | undefined)?.statusCode;
    const rest = {
      code,
      $metadata: timeless($metadata as object),
      $fault,
      Item,
      status,
      type: error.constructor.name,
    };
    return { error: { name, message: message.replaceAll(/127\.0\.0\.1:\d+/g, 'host'), ...rest } };
  }
}

const PER_CALL = ['amz-sdk-invocation-id', 'x-amz-date', 'authorization'];
const withoutPerCall = ({ headers, ...rest }: Sent) => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !PER_CALL.includes(name))),
});

/** Computes Signature Version 4 of a received request. */
export function computeSignature({ headers, path, body }: Sent, secret = KEYS.secretAccessKey): string {
  const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');
  const { authorization = '', 'x-amz-date': date = '' } = headers;
  const [, scope = '', signed = ''] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+),/.exec(authorization) ?? [];
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}`);
  const canonical = ['POST', path, '', ...lines, '', signed, hash(body)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')).toString('hex');
}
export const claimed = ({ headers }: Sent) => /Signature=(\w+)$/.exec(headers.authorization ?? '')?.[1];

export type AnyClient = Parameters<typeof createLeanSend>[0] & { destroy(): void };
type Play = (send: Send, client: AnyClient) => Promise<unknown>;

export async function played(answers: readonly Answer[], make: () => AnyClient, isLean: boolean, play: Play) {
  const client = make();
  const send = (
    isLean ? createLeanSend(client) : (command: object) => (client.send as Send)(command)
  ) as Send;
  script = answers;
  sent = [];
  try {
    const outcome = await play(send, client);
    return { outcome, sent };
  } finally {
    client.destroy();
  }
}

/** Returns scripted responses to both AWS clients. Expects equal requests, equal results and valid signatures. */
export async function compare(answers: readonly Answer[], make: () => AnyClient, play: Play) {
  const plain = await played(answers, make, false, play);
  const ours = await played(answers, make, true, play);
  expect(ours.outcome).toEqual(plain.outcome);
  expect(ours.sent.map(withoutPerCall)).toEqual(plain.sent.map(withoutPerCall));
  for (const each of ours.sent) expect(Object.keys(each.headers)).toEqual(expect.arrayContaining(PER_CALL));
  return ours;
}
