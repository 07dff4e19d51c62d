/**
 * Number of seconds before its expiry at which a token is replaced, so that it does not expire during a request. A token that
 * is valid for less than ten minutes is replaced when a tenth of its lifetime is left.
 */
const MARGIN_SECONDS = 60;

/** Members of a successful token response (RFC 6749 §5.1) that are needed to cache the token. */
export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
}

export interface ClientToken {
  /** Returns the cached access token, or requests a new token. Concurrent callers share one request. */
  get(): Promise<string>;
  /** Removes this token from the cache, unless the cache already contains another token. */
  drop(token: string): void;
}

/** Returns true on Cloudflare Workers, where a request must not await a promise that another request created. */
const isWorker = () => globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/**
 * Caches the access token of the client until shortly before it expires.
 * @param issue Requests a new token from the service.
 */
export function cacheToken(issue: () => Promise<TokenResponse>): ClientToken {
  let cached: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const now = Date.now();
    const { access_token: token, expires_in: seconds } = await issue();
    cached = { token, until: now + (seconds - Math.min(MARGIN_SECONDS, seconds / 10)) * 1000 };
    return token;
  }

  return {
    async get() {
      if (cached && Date.now() < cached.until) return cached.token;
      if (isWorker()) return renew();
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      if (cached?.token === token) cached = undefined;
    },
  };
}
