import {
  boundCookieName,
  buildBoundSessionId,
  newBoundCookie,
  newChallenge,
} from '../../domain/basis/device-binding.ts';
import { BOUND_COOKIE_SECONDS } from '../../domain/basis/limits.ts';
import { COOKIE_ATTRIBUTES, setCookie } from '../../http/cookies.ts';
import type { Session } from '../../ports/flows.ts';
import type { DeviceBinding } from '../../ports/signing.ts';
import type { DeviceSessionInstructions } from '../../schemas/sessions.ts';

/** Path at which browsers register the key of a device, and renew bound cookies. */
const BINDING_PATH = '/oidc/session/binding';

type Headers = Readonly<Record<string, string>>;

const boundCookie = (sessionId: string, binding: DeviceBinding, at: number): string =>
  setCookie(boundCookieName(sessionId), newBoundCookie(binding, at), BOUND_COOKIE_SECONDS);

/** Returns the header with the challenge for the next proof of a bound session. */
export const challengeHeader = (boundSessionId: string, challenge: string): Headers => ({
  'secure-session-challenge': `"${challenge}";id="${boundSessionId}"`,
});

/**
 * Offers a browser to bind the session of its login to a key of the device. The cookie is valid at once, because requests that
 * the browser sends during the registration are already checked if the registration is faster.
 */
export function offerBinding(
  { sessionId, binding }: Session,
  at: number,
): { readonly headers: Headers; readonly cookies: readonly string[] } {
  if (binding === undefined || binding.key !== undefined) return { headers: {}, cookies: [] };
  const challenge = newChallenge(binding, 'registration', at);
  return {
    headers: {
      'secure-session-registration': `(ES256 RS256);path="${BINDING_PATH}";challenge="${challenge}";authorization="${sessionId}"`,
    },
    cookies: [boundCookie(sessionId, binding, at)],
  };
}

/** Returns the response to a valid proof: the bound cookie, the challenge for the next proof, and the session's rules. */
export function bindingAnswer(
  { sessionId }: Session,
  binding: DeviceBinding & { readonly key: string },
  at: number,
): {
  readonly json: DeviceSessionInstructions;
  readonly headers: Headers;
  readonly cookies: readonly string[];
} {
  const session_identifier = buildBoundSessionId(sessionId, binding.key);
  return {
    json: {
      session_identifier,
      refresh_url: BINDING_PATH,
      scope: { include_site: false },
      credentials: [{ type: 'cookie', name: boundCookieName(sessionId), attributes: COOKIE_ATTRIBUTES }],
      // Any application may send the browser here. This reveals no login to other sites: their requests have no `Lax` cookies.
      allowed_refresh_initiators: ['*'],
    },
    headers: challengeHeader(session_identifier, newChallenge(binding, 'proof', at)),
    cookies: [boundCookie(sessionId, binding, at)],
  };
}
