import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { throughEdge } from '../../../lib/local/edge.ts';
import { functionUrlEvent } from '../../../lib/local/events.ts';
import { ANONYMOUS_CALLS_PER_MINUTE } from '../../../shared/domain/basis/limits.ts';
import { loadFunction } from '../server/load-function.ts';

// Makes thousands of calls without a token. The functions are called directly, because HTTP calls would take more than the
// minute of a rate limit window.

/** Lambda function, and the request to send to it. */
export interface Place {
  readonly entry: string;
  readonly target: string;
  readonly method?: 'GET' | 'POST';
  /** Origin header of the request, as if a page of this origin made the call. */
  readonly origin?: string;
}

/** Calls a function from this IP address. Returns the status. */
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

/** Query with a repeated parameter. A call with this query is counted but rejected before it makes AWS calls. */
export const TWICE = '?code=1&code=2';

/**
 * Makes calls until each of the IP addresses may make only `left` more calls without a token in this minute. The default
 * addresses are those of the local machine.
 */
export async function spendAnonymousCalls(
  place: Place,
  left = 0,
  addresses: readonly string[] = ['127.0.0.1', '::1'],
): Promise<void> {
  for (const address of addresses)
    for (let calls = left; calls < ANONYMOUS_CALLS_PER_MINUTE; calls += 1)
      await callFrom(address, { ...place, target: `${place.target}${TWICE}` });
}
