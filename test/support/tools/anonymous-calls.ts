import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { throughEdge } from '../../../lib/local/edge.ts';
import { functionUrlEvent } from '../../../lib/local/events.ts';
import { ANONYMOUS_CALLS_PER_MINUTE } from '../../../shared/domain/basis/limits.ts';
import { loadFunction } from '../server/load-function.ts';

// Thousands of calls without a token. Made without connections, which would take longer than the minute of a window.

/** A function, and an address of it. */
export interface Place {
  readonly entry: string;
  readonly target: string;
  readonly method?: 'GET' | 'POST';
  /** Of the page that calls. */
  readonly origin?: string;
}

/** The status of the answer to a caller at this address. */
export async function callFrom(
  sourceIp: string,
  { entry, target, method = 'GET', origin }: Place,
): Promise<number | undefined> {
  const handler = await loadFunction(entry);
  const rawHeaders = origin === undefined ? [] : ['origin', origin];
  const plain = { method, target, rawHeaders, body: Buffer.alloc(0), sourceIp };
  const answer = await handler(functionUrlEvent(throughEdge(plain)), {} as Context);
  return (answer as APIGatewayProxyStructuredResultV2).statusCode;
}

/** A parameter twice: a call that is counted, and refused before it calls anything. */
export const TWICE = '?code=1&code=2';

/** Makes all calls but `left` that may come from these addresses in this minute; without any, from this machine. */
export async function spendAnonymousCalls(
  place: Place,
  left = 0,
  addresses: readonly string[] = ['127.0.0.1', '::1'],
): Promise<void> {
  for (const address of addresses)
    for (let calls = left; calls < ANONYMOUS_CALLS_PER_MINUTE; calls += 1)
      await callFrom(address, { ...place, target: `${place.target}${TWICE}` });
}
