import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS, isFromEdge } from '../domain/basis/edge.ts';
import { USER_AGENT_MAX } from '../domain/basis/limits.ts';
import { nowSeconds } from '../domain/basis/time.ts';
import type { AuditContext, Caller, InputOf, Operation, OperationRow, Settings } from '../operation.ts';
import { readCookies } from './cookies.ts';
import { matchPath } from './path.ts';

/** One request on its way through `serve`: the input, and what each step found. */
export interface Exchange {
  readonly event: APIGatewayProxyEventV2;
  readonly settings: Settings;
  readonly startedAt: number;
  /** False for a request that went around the edge. */
  readonly fromEdge: boolean;
  readonly request: InputOf<OperationRow>['request'];
  readonly audit: (context: AuditContext) => void;
  readonly auditContext: AuditContext;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  /** Undefined until the application is known. */
  allowedOrigins: readonly string[] | undefined;
  readonly allowOrigins: (origins: readonly string[]) => void;
  caller: Caller | undefined;
  /** Settles the count of this call in its caller's window. Rejects when the caller's token turns out to be revoked. */
  admission: Promise<void> | undefined;
  /** Reads the record of a client's token again. */
  recheckToken: (() => Promise<void>) | undefined;
  json: unknown;
  form: unknown;
  query: unknown;
  path: unknown;
}

const STAGE_PREFIX = '/cis';

/**
 * Decodes the path of a function URL, which leaves `rawPath` as sent. An HTTP API has decoded it already: a second
 * decoding would turn `%252e` into a dot.
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

/** Trusts only the edge for the viewer's address. Removes the headers of the edge from use cases and log lines. */
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

/** The user agent is the user's own only where browsers call; a backend reports the user's device in its request. */
function browserContext({ reach }: Operation, userAgent: string | undefined): AuditContext {
  return reach === 'browser' && userAgent ? { userAgent: userAgent.slice(0, USER_AGENT_MAX) } : {};
}

/** Reads the event of either entry point, HTTP API or function URL. Trusts `rawPath`, `rawQueryString` and headers only. */
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
      // One request can be several events: a new passkey, and the end of a login.
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
