import { ApiError, retryAfterOf } from './errors.ts';

/** Longer than any operation takes: ends what waits for a connection that died. */
const TIME_OUT_MILLISECONDS = 30_000;
const MAX_WAIT_SECONDS = 5;

export interface ExchangeOptions {
  /** Address of the environment with its prefix, such as `https://login.example.com/cis`. */
  readonly baseUrl: string;
  /** In the place of the global `fetch`: for time limits of your own, a proxy, traces. */
  readonly fetch?: typeof fetch | undefined;
  /** How long a call waits, in all, for what `Retry-After` says before it is repeated. Default: 5. */
  readonly maxWaitSeconds?: number | undefined;
}

/** `baseUrl` without a slash at its end. Errors: `TypeError`. */
export function rootOf(baseUrl: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(`baseUrl must be like https://login.example.com/cis, and is "${baseUrl}"`);
  return baseUrl.replace(/\/$/, '');
}

/** The words below "fetch failed" say what happened. */
export const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? cause.message : message;

/** `path` is below `baseUrl`. What changes nothing, or the same when it comes twice, is `repeatable`. */
export type Exchange = (
  path: string,
  request: RequestInit & { readonly method: string },
  repeatable?: boolean,
) => Promise<Response>;

const delay = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends a request, and again when the service asks for it. 429 says that nothing was done, 503 may come too late for that. */
export function createExchange({ baseUrl, maxWaitSeconds, fetch: own }: ExchangeOptions): Exchange {
  const root = rootOf(baseUrl);
  return async (path, request, repeatable = request.method !== 'POST') => {
    for (let left = maxWaitSeconds ?? MAX_WAIT_SECONDS; ; ) {
      const response = await (own ?? fetch)(root + path, {
        ...request,
        // Tokens and secrets go to no other address.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_OUT_MILLISECONDS),
      }).catch((cause: Error) => {
        throw new Error(`${root} did not answer: ${reasonOf(cause)}`, { cause });
      });
      const mayRepeat = response.status === 429 || (response.status === 503 && repeatable);
      const seconds = Math.max(1, retryAfterOf(response.headers) ?? Number.POSITIVE_INFINITY);
      if (!mayRepeat || seconds > left) return response;
      left -= seconds;
      await response.body?.cancel();
      await delay(seconds);
    }
  };
}

/** Undefined for the page of what stands before the service. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a success, undefined where it is empty. Errors: `ApiError`. */
export async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  const json = jsonOf(text);
  const isAnswer = json !== undefined || text === '';
  if (!response.ok || !isAnswer) throw new ApiError(response, Object(json));
  return json;
}
