import { DPOP_NONCE_WINDOW_SECONDS } from '../domain/basis/limits.ts';
import { areSecretsEqual } from '../domain/basis/random.ts';
import type { NonceMac } from '../ports/keys.ts';
import type { PortsWith } from '../ports/uses.ts';

// DPoP nonces (RFC 9449 §8) that need no store: each nonce is the MAC of a time window with a key of the service. All
// containers compute the same nonce, once per window, and also accept the nonce of the previous window.

type NoncePorts = PortsWith<'nonceMac'>;

const windowAt = (now: number): number => Math.floor(now / DPOP_NONCE_WINDOW_SECONDS);

/** DPoP nonces that this container has computed, by the number of the time window in which they are issued. */
const known = new WeakMap<NonceMac, Map<number, Promise<string>>>();

function nonceForWindow({ nonceMac }: NoncePorts, window: number): Promise<string> {
  const nonces = known.get(nonceMac) ?? new Map<number, Promise<string>>();
  known.set(nonceMac, nonces);
  const asked = nonces.get(window);
  if (asked) return asked;
  for (const old of nonces.keys()) if (old < window - 1) nonces.delete(old);
  const nonce = nonceMac.mac(`dpop-nonce\n${window}`);
  nonces.set(window, nonce);
  nonce.catch(() => nonces.delete(window));
  return nonce;
}

/**
 * Returns the nonce for a response.
 * @param now Time of the request in epoch seconds
 */
export function currentNonce(ports: NoncePorts, now: number): Promise<string> {
  return nonceForWindow(ports, windowAt(now));
}

/** Returns true if the nonce was created by this service and is valid at `now` (epoch seconds). */
export async function isValidNonce(ports: NoncePorts, nonce: string, now: number): Promise<boolean> {
  const window = windowAt(now);
  for (const candidate of [window, window - 1])
    if (areSecretsEqual(nonce, await nonceForWindow(ports, candidate))) return true;
  return false;
}

/** Returns the time, in epoch seconds, by which all nonces that are valid at `now` have expired. */
export function nonceEndsAt(now: number): number {
  return (windowAt(now) + 2) * DPOP_NONCE_WINDOW_SECONDS;
}
