/** Before the end of a token, so that none ends on its way. */
const MARGIN_SECONDS = 60;

export interface Issued {
  readonly access_token: string;
  readonly expires_in: number;
}

export interface ClientToken {
  /** The token that is good now. All who ask at once wait for one request. */
  get(): Promise<string>;
  /** Forgets the token, if it still is this one. */
  drop(token: string): void;
}

/** There a request may not wait for what another one began. */
const isWorker = () => globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/** Keeps a client token until shortly before it ends. */
export function keepToken(issue: () => Promise<Issued>): ClientToken {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const now = Date.now();
    const { access_token: token, expires_in: seconds } = await issue();
    kept = { token, until: now + (seconds - Math.min(MARGIN_SECONDS, seconds / 10)) * 1000 };
    return token;
  }

  return {
    async get() {
      if (kept && Date.now() < kept.until) return kept.token;
      if (isWorker()) return renew();
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}
