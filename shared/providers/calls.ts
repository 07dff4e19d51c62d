import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { PROVIDER_CALL_MILLISECONDS, PROVIDER_MILLISECONDS } from '../domain/basis/limits.ts';
import { providerFailed } from './failures.ts';

const SERVER_ERROR = 500;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;

/** A request of the client library or a dialect. */
interface CallInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | undefined;
}

/** The calls to a provider for one request, as options of the client library. */
export interface ProviderCalls {
  readonly [customFetch]: (url: string, init: CallInit) => Promise<Response>;
  readonly [allowInsecureRequests]: boolean;
}

/**
 * Limits the time of each call and of all calls of one request. Repeats only a GET, once: providers treat a code that comes
 * twice as stolen. Requires `https`, whatever the provider's metadata say; `loopback`, for a developer's machine, also
 * allows this machine. Follows no redirects.
 */
export function openCalls({ loopback }: { readonly loopback: boolean }): ProviderCalls {
  const endsAt = performance.now() + PROVIDER_MILLISECONDS;
  const send = (url: string, { method, headers, body }: CallInit) => {
    const left = Math.max(0, Math.floor(endsAt - performance.now()));
    const signal = AbortSignal.timeout(Math.min(PROVIDER_CALL_MILLISECONDS, left));
    return fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal });
  };
  return {
    [allowInsecureRequests]: loopback,
    [customFetch]: async (url, init) => {
      if (!url.startsWith('https://') && !(loopback && LOOPBACK.test(url)))
        throw providerFailed('forbidden_address');
      if (init.method !== 'GET') return send(url, init);
      const first = await send(url, init).catch(() => undefined);
      return first && first.status < SERVER_ERROR ? first : send(url, init);
    },
  };
}
