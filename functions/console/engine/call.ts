import type { ApiOperation, Json } from './document.ts';

/** Calls of the API as the operator, at the address of the environment and nowhere else. */

export interface Operating {
  /** `{base_url}` of the settings: no part of a request chooses it. */
  readonly baseUrl: string;
  readonly accessToken: string;
  /** Of the address of the screen; the API refuses one that the operator has no grant for. */
  readonly tenantId: string | undefined;
}

export interface Asked {
  readonly operation: Pick<ApiOperation, 'method' | 'path'>;
  /** Of the path and the query. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
  /** Why it is done, for the event. */
  readonly reason?: string | undefined;
}

export type Answer =
  | { readonly ok: true; readonly json: Json }
  | {
      readonly ok: false;
      readonly status: number;
      readonly message: string;
      /** The login is too old for it (RFC 9470). */
      readonly stale?: boolean;
    };

/** Less than the time of a function. */
const PATIENCE_MS = 8_000;

/** A dot segment would lead to another operation, encoded too (WHATWG URL §4.4). */
const isSegment = (value: string): boolean => value !== '' && value !== '.' && value !== '..';

const UNANSWERED = {
  ok: false,
  status: 503,
  message: 'The service did not answer. Try again in a moment.',
} as const;

/** The address of an operation; undefined where a value is no segment of a path. */
export function addressOf(baseUrl: string, { operation, parameters = {} }: Asked): string | undefined {
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

/** Records of the API are below `result`, but for lists that are the answer themselves. */
export const resultOf = (json: Json): unknown => (Array.isArray(json) ? json : (json.result ?? json));

export async function callApi(operating: Operating, asked: Asked): Promise<Answer> {
  const address = addressOf(operating.baseUrl, asked);
  if (address === undefined) return { ok: false, status: 404, message: 'There is no such record.' };
  const { body, reason } = asked;
  try {
    const answer = await fetch(address, {
      method: asked.operation.method,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        authorization: `Bearer ${operating.accessToken}`,
        accept: 'application/json',
        ...(operating.tenantId === undefined ? {} : { 'otl-tenant': operating.tenantId }),
        // Only ASCII may stand in a header.
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
    return { ok: false, status: answer.status, message: String(json.message ?? 'Refused'), stale };
  } catch {
    return UNANSWERED;
  }
}
