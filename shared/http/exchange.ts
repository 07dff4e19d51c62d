import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS, isFromEdge } from '../domain/basis/edge.ts';
import { USER_AGENT_MAX } from '../domain/basis/limits.ts';
import { nowSeconds } from '../domain/basis/time.ts';
import type {
  AuditContext,
  Caller,
  Operation,
  OperationRequest,
  OperationRow,
  Settings,
} from '../operation.ts';
import { readCookies } from './cookies.ts';
import { matchPath } from './path.ts';

/** State of a request while `serve` handles it: its input and the results of each step. */
export interface Exchange {
  readonly event: APIGatewayProxyEventV2;
  readonly settings: Settings;
  readonly startedAt: number;
  /** False if the request bypassed CloudFront. Such a request is rejected. */
  readonly fromEdge: boolean;
  readonly request: OperationRequest<OperationRow>['request'];
  readonly audit: (context: AuditContext) => void;
  readonly auditContext: AuditContext;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  /** Origins that may read the response. Undefined until the application is known. */
  allowedOrigins: readonly string[] | undefined;
  readonly allowOrigins: (origins: readonly string[]) => void;
  caller: Caller | undefined;
  /** Promise that settles when this call is counted. It rejects if the caller's token turns out to be revoked. */
  admission: Promise<void> | undefined;
  /** Function that checks the token against the client's current record, which it reads uncached. */
  recheckToken: (() => Promise<void>) | undefined;
  json: unknown;
  form: unknown;
  query: unknown;
  path: unknown;
}

const STAGE_PREFIX = '/cis';

/**
 * Decodes the path of a function URL, whose `rawPath` is still encoded. An HTTP API has already decoded the path; decoding it
 * again would turn `%252e` into a dot.
 */
function decodedPath(event: APIGatewayProxyEventV2): string | undefined {
  const isFunctionUrl = event.requestContext.domainName.includes('.lambda-url.');
  if (!isFunctionUrl) return event.rawPath;
  try {
    return decodeURIComponent(event.rawPath);
  } catch {
    return undefined;
  }
}

function withoutPrefix(path: string): string {
  if (path === STAGE_PREFIX) return '/';
  return path.startsWith(`${STAGE_PREFIX}/`) ? path.slice(STAGE_PREFIX.length) : path;
}

/** Reads and removes the headers that CloudFront adds. The viewer's address is trusted only if CloudFront sent it. */
function readEdge(event: APIGatewayProxyEventV2, { edgeSecretHashes }: Settings) {
  const given = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { [EDGE_HEADERS.secret]: secret, [EDGE_HEADERS.viewerAddress]: viewerAddress, ...headers } = given;
  const { sourceIp } = event.requestContext.http;
  if (edgeSecretHashes === 'off') return { headers, fromEdge: true, sourceAddress: sourceIp };
  const fromEdge = isFromEdge(secret, edgeSecretHashes);
  const believed = fromEdge && viewerAddress !== undefined && isIP(viewerAddress) !== 0;
  return { headers, fromEdge, sourceAddress: believed ? viewerAddress : sourceIp };
}

/** Returns the browser's user agent for the log. Backends instead report the user's device in the request body. */
function browserContext({ reach }: Operation, userAgent: string | undefined): AuditContext {
  return reach === 'browser' && userAgent ? { userAgent: userAgent.slice(0, USER_AGENT_MAX) } : {};
}

/** Reads the event of an HTTP API or function URL. Of the URL, only `rawPath` and `rawQueryString` are used. */
export function receive(row: Operation, event: APIGatewayProxyEventV2, settings: Settings): Exchange {
  const decoded = decodedPath(event);
  const path = decoded === undefined ? '' : withoutPrefix(decoded);
  const { headers, fromEdge, sourceAddress } = readEdge(event, settings);
  const userAgent = headers['user-agent'];
  const auditContext: { -readonly [Name in keyof AuditContext]: AuditContext[Name] } = browserContext(
    row,
    userAgent,
  );
  const exchange: Exchange = {
    event,
    settings,
    startedAt: Date.now(),
    fromEdge,
    request: {
      requestId: event.requestContext.requestId,
      now: nowSeconds(),
      method: event.requestContext.http.method,
      path,
      sourceAddress,
      ...(userAgent === undefined ? {} : { userAgent }),
      headers,
      cookies: readCookies(event.cookies),
      errorPage: {},
    },
    audit: (more) => {
      // One request can cause several events, such as a new passkey and the end of a login.
      const events = [...(auditContext.events ?? []), ...(more.events ?? [])];
      Object.assign(auditContext, more, events.length === 0 ? {} : { events });
    },
    auditContext,
    pathParameters: matchPath(row, path),
    allowedOrigins: undefined,
    allowOrigins: (origins) => {
      exchange.allowedOrigins = origins;
    },
    caller: undefined,
    admission: undefined,
    recheckToken: undefined,
    json: undefined,
    form: undefined,
    query: undefined,
    path: undefined,
  };
  return exchange;
}
