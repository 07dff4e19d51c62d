import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS, isFromEdge } from '../domain/basis/edge.ts';
import { USER_AGENT_MAX } from '../domain/basis/limits.ts';
import { nowSeconds } from '../domain/basis/time.ts';
import type { AuditContext, Caller, InputOf, Operation, Settings } from '../operation.ts';
import { readCookies } from './cookies.ts';
import { matchPath } from './path.ts';

/** One request on its way through `serve`: what came in, and what each step found out. */
export interface Exchange {
  readonly event: APIGatewayProxyEventV2;
  readonly settings: Settings;
  readonly startedAt: number;
  /** False when somebody found the address behind the edge. */
  readonly fromEdge: boolean;
  readonly request: InputOf<Operation>['request'];
  readonly audit: (context: AuditContext) => void;
  readonly note: AuditContext;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  allowedOrigins: readonly string[];
  readonly allowOrigins: (origins: readonly string[]) => void;
  caller: Caller | undefined;
  /** Settles the count of this call in its caller's window. Never rejects. */
  admission: Promise<void> | undefined;
  json: unknown;
  form: unknown;
  query: unknown;
  path: unknown;
}

const STAGE_PREFIX = '/cis';

/**
 * Function URLs leave `rawPath` as it was sent, HTTP APIs decode it once; so it is decoded here for the former alone.
 * A second decoding would turn `%252e` into a dot behind the gateway's back.
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

/**
 * Only the edge is believed about the address of the viewer. Its headers end here: no use case and no log line sees them.
 */
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

/** What browsers open is asked for by the person's own; elsewhere only the caller knows theirs, and tells it. */
function browserNote({ reach }: Operation, userAgent: string | undefined): AuditContext {
  return reach === 'browser' && userAgent ? { userAgent: userAgent.slice(0, USER_AGENT_MAX) } : {};
}

/** Reads a gateway event of either door. Only `rawPath`, `rawQueryString` and the headers are believed. */
export function receive(row: Operation, event: APIGatewayProxyEventV2, settings: Settings): Exchange {
  const decoded = decodedPath(event);
  const path = decoded === undefined ? '' : withoutPrefix(decoded);
  const { headers, fromEdge, sourceAddress } = readEdge(event, settings);
  const userAgent = headers['user-agent'];
  const note: { -readonly [Name in keyof AuditContext]: AuditContext[Name] } = browserNote(row, userAgent);
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
    },
    audit: (more) => {
      // One request can be several events: a passkey is made, and the login ends.
      const events = [...(note.events ?? []), ...(more.events ?? [])];
      Object.assign(note, more, events.length === 0 ? {} : { events });
    },
    note,
    pathParameters: matchPath(row, path),
    allowedOrigins: [],
    allowOrigins: (origins) => {
      exchange.allowedOrigins = origins;
    },
    caller: undefined,
    admission: undefined,
    json: undefined,
    form: undefined,
    query: undefined,
    path: undefined,
  };
  return exchange;
}
