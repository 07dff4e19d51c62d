import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { EDGE_HEADERS } from '../domain/basis/edge.ts';
import { PUBLIC_CACHE_SECONDS } from '../domain/basis/limits.ts';
import type { RenderedError } from '../errors/render.ts';
import type { Operation, ResponseExtras } from '../operation.ts';
import type { Exchange } from './exchange.ts';
import { listAnsweredMethods } from './path.ts';

/** Response of any use case. `OperationAnswer` narrows the type to the responses of one operation. */
export type Answer =
  /** JSON response. With `file`, the browser saves it under that name. */
  | (ResponseExtras & { readonly json: unknown; readonly file?: string })
  | {
      readonly none: true;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | (ResponseExtras & { readonly redirect: string })
  | (ResponseExtras & { readonly html: string; readonly status?: number });

/** Response headers that scripts of other origins may read. `dpop-nonce` is the nonce for the next proof (RFC 9449 §8). */
const EXPOSED = { 'access-control-expose-headers': 'dpop-nonce, www-authenticate' };

function corsHeaders(row: Operation, exchange: Exchange): Record<string, string> {
  if (row.cors === 'none') return {};
  if (row.cors === 'any') return { 'access-control-allow-origin': '*', ...EXPOSED };
  const { origin } = exchange.request.headers;
  // Before the application is known, any page may read the error. It reveals nothing, and the page would otherwise see only a
  // network failure.
  if (!exchange.allowedOrigins) return { vary: 'Origin', 'access-control-allow-origin': '*', ...EXPOSED };
  const allowed = origin !== undefined && exchange.allowedOrigins.includes(origin);
  return { vary: 'Origin', ...(allowed ? { 'access-control-allow-origin': origin, ...EXPOSED } : {}) };
}

/** HSTS header: after one visit over TLS, a browser always uses TLS (RFC 6797 §6.1). Browsers ignore it without TLS. */
const TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

function baseHeaders(row: Operation, exchange: Exchange): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-request-id': exchange.request.requestId,
    'strict-transport-security': TRANSPORT_SECURITY,
    ...corsHeaders(row, exchange),
  };
}

/**
 * Percent-encodes characters that a URL in a header must not contain. Callers choose parts of the URL, such as `state`, and AWS
 * and Node.js reject a response with a control character in a header.
 */
const encodedAddress = (address: string): string =>
  address.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);

const fileResponse = (headers: Record<string, string>, name: string, json: unknown) => ({
  statusCode: 200,
  headers: {
    ...headers,
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="${name}"`,
    'x-content-type-options': 'nosniff',
  },
  body: JSON.stringify(json, undefined, 2),
});

/** Converts the response of a use case to the gateway's format. The response to HEAD has no body. */
export function respond(
  row: Operation,
  exchange: Exchange,
  answer: Answer,
): APIGatewayProxyStructuredResultV2 {
  const headers = baseHeaders(row, exchange);
  const body = (text: string) => (exchange.request.method === 'HEAD' ? '' : text);
  const cookies = 'cookies' in answer && answer.cookies ? { cookies: [...answer.cookies] } : {};
  if ('json' in answer) {
    if (answer.file !== undefined) return fileResponse(headers, answer.file, answer.json);
    const cacheable = 'public' in row.output && row.output.public;
    return {
      statusCode: row.output.status,
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(cacheable ? { 'cache-control': `public, max-age=${PUBLIC_CACHE_SECONDS}` } : {}),
        ...(row.dialect === 'oauth' && !cacheable ? { pragma: 'no-cache' } : {}),
        ...answer.headers,
      },
      ...cookies,
      body: body(JSON.stringify(answer.json)),
    };
  }
  if ('none' in answer)
    return { statusCode: answer.status ?? 204, headers: { ...headers, ...answer.headers }, body: '' };
  if ('redirect' in answer) {
    const statusCode = row.output.status === 303 ? 303 : 302;
    const more = { location: encodedAddress(answer.redirect), 'referrer-policy': 'no-referrer' };
    return { statusCode, headers: { ...headers, ...more, ...answer.headers }, ...cookies, body: '' };
  }
  return {
    statusCode: answer.status ?? 200,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', ...answer.headers },
    ...cookies,
    body: body(answer.html),
  };
}

/**
 * Returns a copy of the `www-authenticate` header under another name. The gateway renames the original header, and
 * lib/stacks/functions/challenge.ts restores it from the copy.
 */
function challengeHeaders({ headers }: RenderedError): Record<string, string> {
  const challenge = headers['www-authenticate'];
  return challenge === undefined ? {} : { [EDGE_HEADERS.challenge]: challenge };
}

export function respondError(
  row: Operation,
  exchange: Exchange,
  rendered: RenderedError,
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: rendered.status,
    headers: {
      ...baseHeaders(row, exchange),
      'content-type': 'application/json',
      ...rendered.headers,
      ...challengeHeaders(rendered),
    },
    body: exchange.request.method === 'HEAD' ? '' : JSON.stringify(rendered.body),
  };
}

/**
 * Responds to a CORS preflight request without reading any record. Any origin may send one, because it contains no credentials
 * and the response reveals nothing. The response to the actual request determines which origins may read it.
 */
export function respondOptions(row: Operation, exchange: Exchange): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: 204,
    headers: {
      ...baseHeaders(row, exchange),
      'access-control-allow-origin': '*',
      'access-control-allow-methods': listAnsweredMethods(row).join(', '),
      'access-control-allow-headers': 'authorization, content-type, dpop',
      'access-control-max-age': '600',
    },
    body: '',
  };
}
