import type { OneTimeCodeKey } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';

/** Where the hosted page keeps the codes of browsers that the user has not logged in from. */
export function strangersKey(key: OneTimeCodeKey): OneTimeCodeKey {
  return { ...key, identifierHash: `${key.identifierHash}.hosted` };
}

/** Where it keeps those of a browser that they have. */
export function keyOfKnownDevice(key: OneTimeCodeKey, browserHash: string): OneTimeCodeKey {
  return { ...key, identifierHash: `${key.identifierHash}.${browserHash}` };
}

/**
 * Codes that a browser types on the hosted page. They never share a place with those that backends send: whoever can name
 * an address could void a backend's code, use up its sends, and lock its door. Anybody can name an identifier there and
 * fail three times, and so lock it again and again; a browser from which the user has logged in before has codes and
 * counters of its own, which a stranger cannot reach (NIST SP 800-63B-4 §3.2.2, ASVS 6.1.1).
 */
export async function hostedCodeKey(
  ports: Using<'knownDevices.isKnown'>,
  key: OneTimeCodeKey,
  browser: Browser,
  userId: string | undefined,
  now: number,
): Promise<OneTimeCodeKey> {
  const known =
    userId !== undefined && !browser.isNew && (await ports.knownDevices.isKnown(userId, browser.hash, now));
  return known ? keyOfKnownDevice(key, browser.hash) : strangersKey(key);
}
