import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import {
  REQUEST_HEAD_MAX_BYTES,
  REQUEST_MAX_BYTES,
  URL_MAX_BYTES,
} from '../../shared/domain/basis/limits.ts';
import { hasFunctionUrl } from '../stacks/functions/routes.ts';
import { answerHeaders, throughEdge } from './edge.ts';
import { apiEvent, functionUrlEvent, type PlainRequest, withoutStage } from './events.ts';
import { createRouter, type Match, type Operations } from './routes.ts';

const FUNCTION_TIMEOUT_MS = 15_000;
const API_BODY_MAX_BYTES = 10 * 1024 * 1024;
const FUNCTION_URL_BODY_MAX_BYTES = 6 * 1024 * 1024;
/** Time limit for receiving the body of a request, in milliseconds. An HTTP API has the same limit. */
const BODY_TIMEOUT_MS = 30_000;
const SCHEME = 'https://';

/**
 * Options of the local HTTP server. Node's default limit for headers is lower than CloudFront's limit. The higher limit lets
 * the gateway check CloudFront's limit itself.
 */
export const HTTP_SERVER = { maxHeaderSize: 2 * REQUEST_MAX_BYTES } as const;

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>;

export interface GatewayOptions {
  readonly operations: Operations;
  /** Loads the Lambda handler of an operation. `entry` is the `event` of the operation. */
  readonly load: (entry: string) => Promise<Handler>;
  /** Function that runs the invocation for a request and may, for example, measure the invocation or record the response. */
  readonly around?: (
    route: Match,
    request: PlainRequest,
    invocation: () => Promise<Answer>,
  ) => Promise<Answer>;
  readonly timeoutMs?: number;
  readonly bodyTimeoutMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export interface Gateway {
  route(method: string, target: string): Match | undefined;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Creates the emulator of everything in front of the functions: CloudFront, the HTTP API of API Gateway and function URLs. */
export function createGateway(options: GatewayOptions): Gateway {
  const match = createRouter(options.operations);
  const route = (method: string, target: string) =>
    match(method, withoutStage(target.split('?', 1)[0] ?? '/'));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const found = route(request.method ?? 'GET', request.url ?? '/');
    const answer = found
      ? (refuseTooLong(request, found, options) ?? (await answerRoute(found, request, options)))
      : plainAnswer(404, 'Not Found');
    if (response.destroyed) return;
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    if (answer.cookies.length > 0) response.setHeader('set-cookie', answer.cookies);
    if (!request.complete) response.setHeader('connection', 'close');
    response.writeHead(answer.status).end(answer.body);
  };
  return { route, handle };
}

/**
 * Returns the error response to a request that is too long, or undefined. CloudFront responds with 413 if the URL, or the
 * request line with all headers, is too long. API Gateway limits the request line with the values of all headers. AWS does not
 * document the status for that case, so this function uses 431 (RFC 6585 §5).
 */
function refuseTooLong(
  { method = 'GET', url = '/', headers, rawHeaders }: IncomingMessage,
  route: Match,
  { operations }: GatewayOptions,
): Answer | undefined {
  const line = `${method} ${url} HTTP/1.1`;
  const isTooLong =
    Buffer.byteLength(`${SCHEME}${headers.host ?? ''}${url}`) > URL_MAX_BYTES ||
    Buffer.byteLength(`${line}${rawHeaders.join('')}`) > REQUEST_MAX_BYTES;
  if (isTooLong) return plainAnswer(413, 'Request Entity Too Large');
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  const bytes = Buffer.byteLength(`${line}${values.join('')}`);
  if (bytes <= REQUEST_HEAD_MAX_BYTES || hasFunctionUrl(operations, route.row)) return undefined;
  return plainAnswer(431, 'Request Header Fields Too Large');
}

async function answerRoute(route: Match, request: IncomingMessage, options: GatewayOptions): Promise<Answer> {
  const isBrowser = hasFunctionUrl(options.operations, route.row);
  const { timeoutMs = FUNCTION_TIMEOUT_MS, bodyTimeoutMs = BODY_TIMEOUT_MS } = options;
  const body = await withinTime(bodyTimeoutMs, () =>
    readBody(request, isBrowser ? FUNCTION_URL_BODY_MAX_BYTES : API_BODY_MAX_BYTES),
  );
  if (body === timedOut) return plainAnswer(408, 'Request Timeout');
  if (body === 'gone') return plainAnswer(400, 'Bad Request');
  if (body === undefined) return plainAnswer(413, 'Request Entity Too Large');
  const plain: PlainRequest = throughEdge({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    rawHeaders: request.rawHeaders,
    body,
    sourceIp: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  });
  let event: APIGatewayProxyEventV2;
  try {
    event = isBrowser ? functionUrlEvent(plain) : apiEvent(plain, route);
  } catch {
    return plainAnswer(400, 'Bad Request');
  }
  try {
    const handler = await options.load(route.row.event);
    const invocation = async () => {
      const result = await withinTime(timeoutMs, (context) => handler(event, context));
      return result === timedOut
        ? plainAnswer(503, 'Service Unavailable')
        : toAnswer(result, isBrowser ? 'function-url' : 'api');
    };
    return await (options.around?.(route, plain, invocation) ?? invocation());
  } catch (error) {
    console.error(`${route.name} failed outside of its own error handling:`, error);
    return plainAnswer(500, 'Internal Server Error');
  }
}

/** Reads the body of a request. Returns undefined if the body exceeds `max` bytes, or `gone` if the caller disconnected. */
async function readBody(request: IncomingMessage, max: number): Promise<Buffer | 'gone' | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > max) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return Buffer.concat(chunks);
}

const timedOut: unique symbol = Symbol('timed out');

async function withinTime<Result>(
  milliseconds: number,
  run: (context: Context) => Promise<Result>,
): Promise<Result | typeof timedOut> {
  const end = performance.now() + milliseconds;
  const { promise, resolve } = Promise.withResolvers<typeof timedOut>();
  const timer = setTimeout(() => resolve(timedOut), milliseconds);
  try {
    return await Promise.race([run(contextUntil(end)), promise]);
  } finally {
    clearTimeout(timer);
  }
}

function contextUntil(end: number): Context {
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'local',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:local',
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: '/local',
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, end - performance.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}

const DEFAULT_TYPES = { api: 'text/plain; charset=utf-8', 'function-url': 'application/json' } as const;

/** Converts the result of a function to an HTTP response. A result without `statusCode` becomes a JSON body with status 200. */
function toAnswer(result: unknown, entryPoint: keyof typeof DEFAULT_TYPES): Answer {
  if (typeof result !== 'object' || result === null || !('statusCode' in result))
    return jsonAnswer(200, result ?? null);
  const {
    statusCode,
    headers = {},
    cookies = [],
    body = '',
    isBase64Encoded,
  } = result as APIGatewayProxyStructuredResultV2;
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const length = content.length > 0 ? { 'content-length': String(content.length) } : {};
  const type = content.length > 0 ? { 'content-type': DEFAULT_TYPES[entryPoint] } : {};
  const status = statusCode ?? 200;
  return {
    status,
    headers: { ...type, ...answerHeaders(Object.fromEntries(named), status, entryPoint), ...length },
    cookies,
    body: content,
  };
}

function plainAnswer(status: number, message: string): Answer {
  return jsonAnswer(status, { message });
}

function jsonAnswer(status: number, value: unknown): Answer {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { status, headers, cookies: [], body };
}
