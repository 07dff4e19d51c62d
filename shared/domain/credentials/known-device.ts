import type { OneTimeCodeKey } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';

/** Key of the hosted page's codes for browsers that the user has not logged in from. */
export function strangersKey(key: OneTimeCodeKey): OneTimeCodeKey {
  return { ...key, identifierHash: `${key.identifierHash}.hosted` };
}

/** Key of its codes for a browser that the user has logged in from. */
export function keyOfKnownDevice(key: OneTimeCodeKey, browserHash: string): OneTimeCodeKey {
  return { ...key, identifierHash: `${key.identifierHash}.${browserHash}` };
}

/**
 * The key of a code for the hosted page. It differs from the key of backends: anyone can type an
 * address there, and could void a backend's code, spend its sends and lock it. Anyone can also lock an identifier there by
 * three failures. A browser that the user has logged in from has its own codes and counters, out of an attacker's reach (NIST
 * SP 800-63B-4 §3.2.2, ASVS 6.1.1).
 */
export function hostedCodeKey(key: OneTimeCodeKey, browser: Browser, isKnown: boolean): OneTimeCodeKey {
  return isKnown ? keyOfKnownDevice(key, browser.hash) : strangersKey(key);
}

/** Whether the user has logged in from this browser, at `now` (epoch seconds). */
export async function isKnownBrowser(
  ports: Using<'knownDevices.isKnown'>,
  browser: Browser,
  userId: string,
  now: number,
): Promise<boolean> {
  return !browser.isNew && ports.knownDevices.isKnown(userId, browser.hash, now);
}
