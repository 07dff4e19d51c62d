import { ApiError, readRetryAfter } from './errors.ts';

/** Time limit of a request in milliseconds. No operation takes longer, so only dead connections reach this limit. */
const TIME_OUT_MILLISECONDS = 30_000;
const MAX_WAIT_SECONDS = 5;

export interface ConnectionOptions {
  /** Base URL of the service with its path prefix, for example `https://login.example.com/cis`. */
  readonly baseUrl: string;
  /** Function to call instead of the global `fetch`, for example to set shorter time limits, use a proxy or add traces. */
  readonly fetch?: typeof fetch | undefined;
  /** Maximum total time in seconds that a call waits before retries, as `Retry-After` demands. Default: 5. */
  readonly maxWaitSeconds?: number | undefined;
}

/**
 * Returns `baseUrl` without a trailing slash. Throws a `TypeError` if it is not an HTTP URL, or contains a query or fragment.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(`baseUrl must be like https://login.example.com/cis, but is "${baseUrl}"`);
  return baseUrl.replace(/\/$/, '');
}

/** Returns the reason why a `fetch` failed: the cause of the error, or else the error's message, often only "fetch failed". */
export const describeFetchFailure = ({ message, cause }: Error): string =>
  cause instanceof Error ? cause.message : message;

/**
 * Function that sends a request to a path below `baseUrl`. Set `repeatable` if the service may process the request twice
 * without harm, because the request changes nothing or is idempotent. By default, every method except `POST` is repeatable.
 */
export type SendRequest = (
  path: string,
  request: RequestInit & { readonly method: string },
  repeatable?: boolean,
) => Promise<Response>;

const delay = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * Creates the function that sends requests and retries them after the delay in `Retry-After`, waiting at most `maxWaitSeconds`.
 * After 429, every request is retried, because the service has done nothing. After 503, the service may have done part of the
 * work, so only repeatable requests are retried.
 */
export function createSender({ baseUrl, maxWaitSeconds, fetch: own }: ConnectionOptions): SendRequest {
  const root = normalizeBaseUrl(baseUrl);
  return async (path, request, repeatable = request.method !== 'POST') => {
    for (let remainingSeconds = maxWaitSeconds ?? MAX_WAIT_SECONDS; ; ) {
      const response = await (own ?? fetch)(root + path, {
        ...request,
        // Following a redirect would send tokens and secrets to another URL.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_OUT_MILLISECONDS),
      }).catch((cause: Error) => {
        throw new Error(`${root} did not respond: ${describeFetchFailure(cause)}`, { cause });
      });
      const canRetry = response.status === 429 || (response.status === 503 && repeatable);
      const seconds = Math.max(1, readRetryAfter(response.headers) ?? Number.POSITIVE_INFINITY);
      if (!canRetry || seconds > remainingSeconds) return response;
      remainingSeconds -= seconds;
      await response.body?.cancel();
      await delay(seconds);
    }
  };
}

/** Parses JSON. Returns undefined for other text, such as the HTML error page of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON of a successful response, or undefined if its body is empty. Throws an `ApiError` for other responses. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const json = parseJson(text);
  const isValidAnswer = json !== undefined || text === '';
  if (!response.ok || !isValidAnswer) throw new ApiError(response, Object(json));
  return json;
}
