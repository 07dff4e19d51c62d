import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Match } from './routes.ts';

/** HTTP request as it was received, before it is converted to a Lambda event. */
export interface PlainRequest {
  readonly method: string;
  /** Request target: the raw path and query. */
  readonly target: string;
  /** Header names and values alternating, with duplicates, like `rawHeaders` of node:http. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly sourceIp: string;
}

/** Value of `domainName` in the events of a function URL, independent of the `Host` header that the caller sent. */
const FUNCTION_URL_DOMAIN = 'local.lambda-url.eu-central-1.on.aws';
const STAGE_PREFIX = /^\/cis(?=\/|$)/;

/** Removes the stage prefix `/cis` from a path, because both stages of the API have the same routes. */
export function withoutStage(path: string): string {
  return path.replace(STAGE_PREFIX, '') || '/';
}

/**
 * Creates the event of an HTTP API (payload format 2.0). `rawPath` is decoded and keeps the stage prefix.
 * @throws URIError if the path cannot be decoded. API Gateway itself responds with 400 to such a request.
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
      domainName: readHost(request),
    }),
    ...(parameters.length > 0 && { pathParameters: Object.fromEntries(parameters) }),
  };
}

/** Creates the event of a Lambda function URL. `rawPath` is not decoded, and the event has no route and no path parameters. */
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
    ...encodeBody(request.body, headers['content-type']),
  };
}

/** Encodes a request body as API Gateway does: JSON, XML and other text unchanged, everything else in Base64. */
function encodeBody(body: Uint8Array, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = /^\s*(?:text\/|application\/(?:json|javascript|xml|[\w.-]+\+(?:json|xml))\s*(?:;|$))/i;
  const bytes = Buffer.from(body);
  if (isText.test(contentType) && isUtf8(bytes))
    return { body: bytes.toString('utf8'), isBase64Encoded: false };
  return { body: bytes.toString('base64'), isBase64Encoded: true };
}

function readHost({ rawHeaders }: PlainRequest): string {
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

/** Formats a time as in the Common Log Format, for example `21/Nov/2026:05:25:40 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
