import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { PROVIDER_CALL_MILLISECONDS, PROVIDER_MILLISECONDS } from '../domain/basis/limits.ts';
import { providerFailed } from './failures.ts';

const SERVER_ERROR = 500;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;

/** What the client library and the dialects say of a request. */
interface CallInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | undefined;
}

/** The calls to a provider while one browser waits, as the client library takes them. */
export interface ProviderCalls {
  readonly [customFetch]: (url: string, init: CallInit) => Promise<Response>;
  readonly [allowInsecureRequests]: boolean;
}

/**
 * All calls of one request together end in time, and none alone uses that up. Only a GET is sent once more: a code that was
 * sent twice is a stolen code. Every address is `https`, whatever the provider's metadata say; on a developer's machine the
 * loopback too. Redirects are not followed.
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
