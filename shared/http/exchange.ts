import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type {
  AdminCaller,
  AuditNote,
  ClientCaller,
  InputOf,
  Operation,
  Settings,
  UserCaller,
} from '../operation.ts';
import { readCookies } from './cookies.ts';
import { matchPath } from './path.ts';

/** One request on its way through `serve`: what came in, and what each step found out. */
export interface Exchange {
  readonly event: APIGatewayProxyEventV2;
  readonly settings: Settings;
  readonly startedAt: number;
  readonly request: InputOf<Operation>['request'];
  readonly audit: (note: AuditNote) => void;
  readonly note: AuditNote;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  allowedOrigins: readonly string[];
  readonly allowOrigins: (origins: readonly string[]) => void;
  caller: ClientCaller | AdminCaller | UserCaller | undefined;
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

/** Reads a gateway event of either door. Only `rawPath`, `rawQueryString` and the headers are believed. */
export function receive(row: Operation, event: APIGatewayProxyEventV2, settings: Settings): Exchange {
  const decoded = decodedPath(event);
  const path = decoded === undefined ? '' : withoutPrefix(decoded);
  const note: Record<string, string | number | undefined> = {};
  const headers = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const userAgent = headers['user-agent'];
  const exchange: Exchange = {
    event,
    settings,
    startedAt: Date.now(),
    request: {
      requestId: event.requestContext.requestId,
      method: event.requestContext.http.method,
      path,
      sourceAddress: event.requestContext.http.sourceIp,
      ...(userAgent === undefined ? {} : { userAgent }),
      headers,
      cookies: readCookies(event.cookies),
    },
    audit: (more) => {
      Object.assign(note, more);
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
