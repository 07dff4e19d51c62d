import { EDGE_HEADERS } from '../../shared/domain/basis/edge.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { CHALLENGED_STATUSES } from '../stacks/functions/challenge.ts';
import type { PlainRequest } from './events.ts';

/** The secret of the local edge. It guards nothing: every request to the local server goes through its edge. */
const LOCAL_EDGE_SECRET = 'secret-of-the-local-edge';
export const LOCAL_EDGE_SECRET_HASH = hashSecret(LOCAL_EDGE_SECRET);

/** Replaces the headers that CloudFront sets, whatever the viewer sent under their names. */
export function throughEdge(request: PlainRequest): PlainRequest {
  const own: readonly string[] = [EDGE_HEADERS.secret, EDGE_HEADERS.viewerAddress];
  const { rawHeaders } = request;
  const kept = rawHeaders.filter((_, index) => !own.includes(rawHeaders[index & ~1]?.toLowerCase() ?? ''));
  const added = [EDGE_HEADERS.secret, LOCAL_EDGE_SECRET, EDGE_HEADERS.viewerAddress, request.sourceIp];
  return { ...request, rawHeaders: [...kept, ...added] };
}

type Headers = Readonly<Record<string, string>>;

/**
 * Both entry points rename the challenge in a function's answer, and the edge removes the renamed header. The HTTP API
 * restores it from a header of ours, by a mapping of its integrations; the edge removes that header too.
 */
export function answerHeaders(headers: Headers, status: number, entryPoint: 'api' | 'function-url'): Headers {
  const { 'www-authenticate': _, [EDGE_HEADERS.challenge]: challenge, ...others } = headers;
  const mapped = entryPoint === 'api' && CHALLENGED_STATUSES.some((each) => each === status);
  return mapped && challenge !== undefined ? { ...others, 'www-authenticate': challenge } : others;
}
