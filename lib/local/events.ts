import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Match } from './routes.ts';

/** A request as received, before it becomes an event. */
export interface PlainRequest {
  readonly method: string;
  /** Path and query, raw. */
  readonly target: string;
  /** Names and values in turn, duplicates included, as `rawHeaders` of node:http. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly sourceIp: string;
}

/** The `domainName` of an event behind a function URL, whatever `Host` the caller sent. */
const FUNCTION_URL_DOMAIN = 'local.lambda-url.eu-central-1.on.aws';
const STAGE_PREFIX = /^\/cis(?=\/|$)/;

/** The path without the stage's prefix: both stages reach the same routes. */
export function withoutStage(path: string): string {
  return path.replace(STAGE_PREFIX, '') || '/';
}

/**
 * The event of an HTTP API (payload format 2.0): `rawPath` is decoded and keeps the stage's prefix.
 * Throws URIError for a path that cannot be decoded, which API Gateway answers with 400 by itself.
 */
export function apiEvent(request: PlainRequest, route: Match): APIGatewayProxyEventV2 {
  const [path] = splitTarget(request.target);
  const stage = STAGE_PREFIX.test(path) ? 'cis' : '$default';
  const routeKey = route.path === '$default' ? '$default' : `${request.method} ${route.path}`;
  const parameters = Object.entries(route.parameters).map(([name, value]) => [
    name,
    decodeURIComponent(value),
  ]);
  return {
    ...commonEvent(request, {
      routeKey,
      stage,
      rawPath: decodeURIComponent(path),
      domainName: hostOf(request),
    }),
    ...(parameters.length > 0 && { pathParameters: Object.fromEntries(parameters) }),
  };
}

/** The event of a Lambda function URL: `rawPath` as it was sent, no path parameters, no route. */
export function functionUrlEvent(request: PlainRequest): APIGatewayProxyEventV2 {
  const [path] = splitTarget(request.target);
  return commonEvent(request, {
    routeKey: '$default',
    stage: '$default',
    rawPath: path,
    domainName: FUNCTION_URL_DOMAIN,
  });
}

function commonEvent(
  request: PlainRequest,
  entryPoint: {
    readonly routeKey: string;
    readonly stage: string;
    readonly rawPath: string;
    readonly domainName: string;
  },
): APIGatewayProxyEventV2 {
  const [, rawQueryString] = splitTarget(request.target);
  const { cookie, ...headers } = joinHeaders(request.rawHeaders);
  const query = joinDuplicates([...new URLSearchParams(rawQueryString)]);
  const now = new Date();
  return {
    version: '2.0',
    routeKey: entryPoint.routeKey,
    rawPath: entryPoint.rawPath,
    rawQueryString,
    headers,
    ...(cookie !== undefined && { cookies: cookie.split(/; ?/) }),
    ...(rawQueryString !== '' && { queryStringParameters: query }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: entryPoint.domainName,
      domainPrefix: entryPoint.domainName.split('.')[0] ?? '',
      http: {
        method: request.method,
        path: entryPoint.rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: entryPoint.routeKey,
      stage: entryPoint.stage,
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
    },
    ...bodyOf(request.body, headers['content-type']),
  };
}

/** Forms and bodies of unknown types come in base64; bytes that are no text stay unchanged. */
function bodyOf(body: Uint8Array, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = /^\s*(?:text\/|application\/(?:json|javascript|xml|[\w.-]+\+(?:json|xml))\s*(?:;|$))/i;
  const bytes = Buffer.from(body);
  if (isText.test(contentType) && isUtf8(bytes))
    return { body: bytes.toString('utf8'), isBase64Encoded: false };
  return { body: bytes.toString('base64'), isBase64Encoded: true };
}

function hostOf({ rawHeaders }: PlainRequest): string {
  return joinHeaders(rawHeaders).host ?? 'localhost';
}

function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function joinHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '']);
  return joinDuplicates(pairs);
}

function joinDuplicates(pairs: readonly [string, string][]): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = joined.get(name);
    const separator = name === 'cookie' ? '; ' : ',';
    joined.set(name, before === undefined ? value : `${before}${separator}${value}`);
  }
  return Object.fromEntries(joined);
}

/** Such as `21/Nov/2026:05:25:40 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
