import { EDGE_HEADERS } from '../../shared/domain/basis/edge.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { CHALLENGED_STATUSES } from '../stacks/functions/challenge.ts';
import type { PlainRequest } from './events.ts';

/** Value of the secret header that proves that a request came through CloudFront. Locally, every request gets this header. */
const LOCAL_EDGE_SECRET = 'secret-of-the-local-edge';
export const LOCAL_EDGE_SECRET_HASH = hashSecret(LOCAL_EDGE_SECRET);

/** Adds the headers that CloudFront sets to a request. Removes headers with the same names that the client sent. */
export function throughEdge(request: PlainRequest): PlainRequest {
  const own: readonly string[] = [EDGE_HEADERS.secret, EDGE_HEADERS.viewerAddress];
  const { rawHeaders } = request;
  const kept = rawHeaders.filter((_, index) => !own.includes(rawHeaders[index & ~1]?.toLowerCase() ?? ''));
  const added = [EDGE_HEADERS.secret, LOCAL_EDGE_SECRET, EDGE_HEADERS.viewerAddress, request.sourceIp];
  return { ...request, rawHeaders: [...kept, ...added] };
}

type Headers = Readonly<Record<string, string>>;

/**
 * Changes the headers of a function's response as AWS does. API Gateway and function URLs rename `WWW-Authenticate`, and
 * CloudFront removes the renamed header. The integrations of the HTTP API restore `WWW-Authenticate` from our own header
 * `EDGE_HEADERS.challenge`. CloudFront removes this header in every response.
 */
export function answerHeaders(headers: Headers, status: number, entryPoint: 'api' | 'function-url'): Headers {
  const { 'www-authenticate': _, [EDGE_HEADERS.challenge]: challenge, ...others } = headers;
  const mapped = entryPoint === 'api' && CHALLENGED_STATUSES.some((each) => each === status);
  return mapped && challenge !== undefined ? { ...others, 'www-authenticate': challenge } : others;
}
