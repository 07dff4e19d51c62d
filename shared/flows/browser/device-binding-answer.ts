import {
  boundCookieName,
  buildBoundSessionId,
  newBoundCookie,
  newChallenge,
} from '../../domain/basis/device-binding.ts';
import { BOUND_COOKIE_SECONDS, CONSOLE_BOUND_COOKIE_SECONDS } from '../../domain/basis/limits.ts';
import { buildCookieAttributes, setCookie } from '../../http/cookies.ts';
import type { ResponseExtras } from '../../operation.ts';
import type { BoundToDevice, DeviceBinding } from '../../ports/signing.ts';
import type { DeviceSessionInstructions } from '../../schemas/sessions.ts';

/** Settings for device-bound sessions of one host: that of the login pages or that of the console. */
export interface BindingHost {
  /** Path at which browsers register the key of a device, and renew the short-lived cookies of device-bound sessions. */
  readonly path: string;
  /** Lifetime in seconds of a bound cookie, which the browser must then renew with a proof by the device's key. */
  readonly cookieSeconds: number;
  /**
   * Attribute `SameSite` of bound cookies. With `Strict`, a request from another site cannot make the browser renew a cookie.
   */
  readonly sameSite: 'Lax' | 'Strict';
}

export const LOGIN_HOST: BindingHost = {
  path: '/oidc/session/binding',
  cookieSeconds: BOUND_COOKIE_SECONDS,
  sameSite: 'Lax',
};
export const CONSOLE_HOST: BindingHost = {
  path: '/session/binding',
  cookieSeconds: CONSOLE_BOUND_COOKIE_SECONDS,
  sameSite: 'Strict',
};

/** Browser session that can be bound to a key of the user's device. */
export interface BindableSession extends BoundToDevice {
  readonly sessionId: string;
}

function boundCookie(host: BindingHost, sessionId: string, binding: DeviceBinding, at: number): string {
  const { cookieSeconds, sameSite } = host;
  const value = newBoundCookie(binding, at + cookieSeconds);
  return setCookie(boundCookieName(sessionId), value, cookieSeconds, sameSite);
}

/** Returns the header with the challenge for the next proof of a bound session. */
export const challengeHeader = (boundSessionId: string, challenge: string) => ({
  'secure-session-challenge': `"${challenge}";id="${boundSessionId}"`,
});

/**
 * Returns the headers and cookie that ask a browser to bind its session to a key of the device. The cookie is valid at once,
 * because the browser may need it for other requests as soon as the registration has finished.
 */
export function offerBinding(
  host: BindingHost,
  { sessionId, binding }: BindableSession,
  at: number,
): Required<ResponseExtras> {
  if (binding === undefined || binding.key !== undefined) return { headers: {}, cookies: [] };
  const challenge = newChallenge(binding, 'registration', at);
  return {
    headers: {
      'secure-session-registration': `(ES256 RS256);path="${host.path}";challenge="${challenge}";authorization="${sessionId}"`,
    },
    cookies: [boundCookie(host, sessionId, binding, at)],
  };
}

/**
 * Returns the response to a valid proof by the device's key: a new bound cookie, the challenge for the next proof, and the
 * instructions by which the browser keeps the session.
 */
export function bindingAnswer(
  host: BindingHost,
  { sessionId }: BindableSession,
  binding: DeviceBinding & { readonly key: string },
  at: number,
): Required<ResponseExtras> & { readonly json: DeviceSessionInstructions } {
  const session_identifier = buildBoundSessionId(sessionId, binding.key);
  return {
    json: {
      session_identifier,
      refresh_url: host.path,
      scope: { include_site: false },
      credentials: [
        {
          type: 'cookie',
          name: boundCookieName(sessionId),
          attributes: buildCookieAttributes(host.sameSite),
        },
      ],
      // Any application may send the browser here. This reveals no login to other sites: their requests have no `Lax` cookies.
      allowed_refresh_initiators: host.sameSite === 'Lax' ? ['*'] : [],
    },
    headers: challengeHeader(session_identifier, newChallenge(binding, 'proof', at)),
    cookies: [boundCookie(host, sessionId, binding, at)],
  };
}
