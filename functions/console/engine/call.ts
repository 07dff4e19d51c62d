// Calls the API with the operator's token, only at the base URL of the environment.

import type { ApiOperation, Json } from './document.ts';

/** Credentials for calling the API as an operator. */
export interface ApiCredentials {
  /** Base URL from the settings. No part of a request can change it. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Tenant in the screen's URL. The API rejects a tenant in which the operator has no role. */
  readonly tenantId: string | undefined;
}

/** An API call to make: the operation, its parameters and body, and the operator's reason. */
export interface ApiCall {
  readonly operation: Pick<ApiOperation, 'method' | 'path'>;
  /** Parameters of the path and of the query, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
  /** Reason that the operator gave, which is recorded in the event. */
  readonly reason?: string | undefined;
}

/** Response of the API: its JSON, or the status and message of the error. */
export type ApiAnswer =
  | { readonly ok: true; readonly json: Json }
  | {
      readonly ok: false;
      readonly status: number;
      readonly message: string;
      /** True if the operator's login is too old for the operation (RFC 9470). */
      readonly isLoginStale?: boolean;
    };

/** Timeout of an API call in milliseconds, shorter than the timeout of the Lambda function that makes the call. */
const TIMEOUT_MS = 8_000;

/**
 * Returns true if a value is a valid path segment. Dot segments are invalid: even encoded, they change the path (WHATWG URL
 * §4.4).
 */
const isSegment = (value: string): boolean => value !== '' && value !== '.' && value !== '..';

const UNANSWERED = {
  ok: false,
  status: 503,
  message: 'The service did not answer. Try again in a moment.',
} as const;

/** Returns the URL of a call, or undefined if a path parameter is missing or is not a valid path segment. */
export function buildCallUrl(baseUrl: string, { operation, parameters = {} }: ApiCall): string | undefined {
  const query = new URLSearchParams();
  let { path } = operation;
  for (const [name, value] of Object.entries(parameters)) {
    const place = `{${name}}`;
    if (!path.includes(place)) query.set(name, value);
    else if (isSegment(value)) path = path.replace(place, () => encodeURIComponent(value));
  }
  if (path.includes('{')) return undefined;
  return `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns the record or list in a response. The API returns records in `result`, and some lists as the response itself. */
export const readResult = (json: Json): unknown => (Array.isArray(json) ? json : (json.result ?? json));

/** Calls the API as the operator. Never rejects: if the API sends no usable response, returns status 503. */
export async function callApi(operating: ApiCredentials, asked: ApiCall): Promise<ApiAnswer> {
  const address = buildCallUrl(operating.baseUrl, asked);
  if (address === undefined) return { ok: false, status: 404, message: 'There is no such record.' };
  const { body, reason } = asked;
  try {
    const answer = await fetch(address, {
      method: asked.operation.method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${operating.accessToken}`,
        accept: 'application/json',
        ...(operating.tenantId === undefined ? {} : { 'otl-tenant': operating.tenantId }),
        // The reason is percent-encoded, because a header may contain only ASCII.
        ...(reason ? { 'otl-reason': encodeURIComponent(reason) } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const json: unknown = text === '' ? {} : JSON.parse(text);
    if (!isJson(json)) return UNANSWERED;
    if (answer.ok) return { ok: true, json };
    const challenge = answer.headers.get('www-authenticate') ?? '';
    const stale = challenge.includes('insufficient_user_authentication');
    return {
      ok: false,
      status: answer.status,
      message: String(json.message ?? 'Refused'),
      isLoginStale: stale,
    };
  } catch {
    return UNANSWERED;
  }
}
