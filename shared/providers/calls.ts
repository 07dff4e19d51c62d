import { text } from 'node:stream/consumers';
import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { PROVIDER_CALL_MILLISECONDS, PROVIDER_MILLISECONDS } from '../domain/basis/limits.ts';
import { publicRequest, RefusedTarget } from '../outbound/public-request.ts';
import { providerFailed, providerUnavailable } from './failures.ts';

const SERVER_ERROR = 500;
/** Statuses of responses without a body. The constructor of `Response` rejects a body for these statuses. */
const BODILESS: readonly number[] = [204, 205, 304];

/** Request options, from the OAuth client library or from the code for a provider. */
interface CallInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | undefined;
}

/** Functions that call a provider during one request, as options of the OAuth client library. */
export interface ProviderCalls {
  readonly [customFetch]: (url: string, init: CallInit) => Promise<Response>;
  readonly [allowInsecureRequests]: boolean;
}

/**
 * Creates the functions that call a provider during one request. They limit the time of each call and of all calls together.
 * Only GET requests are repeated, and only once, because providers treat a code that arrives twice as stolen. Only public
 * addresses are called or, with `loopback`, also the developer's own computer. Redirects are not followed.
 */
export function createProviderCalls({ loopback }: { readonly loopback: boolean }): ProviderCalls {
  const endsAt = performance.now() + PROVIDER_MILLISECONDS;
  const send = async (url: string, { method, headers, body }: CallInit) => {
    const left = Math.max(0, Math.floor(endsAt - performance.now()));
    const signal = AbortSignal.timeout(Math.min(PROVIDER_CALL_MILLISECONDS, left));
    const content = body === undefined ? {} : { body: body.toString() };
    try {
      const answer = await publicRequest(url, { method, headers, ...content, signal, loopback });
      const { statusCode: status = SERVER_ERROR, headers: given } = answer;
      const type = given['content-type'] ?? '';
      const received = await text(answer);
      return new Response(BODILESS.includes(status) ? null : received, {
        status,
        headers: { 'content-type': type },
      });
    } catch (error) {
      if (error instanceof RefusedTarget) throw providerFailed('forbidden_address', error);
      throw providerUnavailable(error);
    }
  };
  return {
    [allowInsecureRequests]: loopback,
    [customFetch]: async (url, init) => {
      if (init.method !== 'GET') return send(url, init);
      const first = await send(url, init).catch(() => undefined);
      return first && first.status < SERVER_ERROR ? first : send(url, init);
    },
  };
}
