import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { throughEdge } from '../../../lib/local/edge.ts';
import { functionUrlEvent } from '../../../lib/local/events.ts';
import { ANONYMOUS_CALLS_PER_MINUTE } from '../../../shared/domain/basis/limits.ts';
import { loadFunction } from '../server/load-function.ts';

/** The status of a function's answer to a browser at this address. Without a connection, which thousands of calls are slow with. */
export async function openFrom(entry: string, target: string, sourceIp: string): Promise<number | undefined> {
  const handler = await loadFunction(entry);
  const plain = { method: 'GET', target, rawHeaders: [], body: Buffer.alloc(0), sourceIp };
  const answer = await handler(functionUrlEvent(throughEdge(plain)), {} as Context);
  return (answer as APIGatewayProxyStructuredResultV2).statusCode;
}

/** A parameter twice: a call that is counted, and refused before it calls anything. */
export const TWICE = '?code=1&code=2';

/** Makes all calls but `left` that this machine may make to the function without a token in this minute. */
export async function spendAnonymousCalls(entry: string, path: string, left = 0): Promise<void> {
  for (const address of ['127.0.0.1', '::1'])
    for (let calls = left; calls < ANONYMOUS_CALLS_PER_MINUTE; calls += 1)
      await openFrom(entry, `${path}${TWICE}`, address);
}
