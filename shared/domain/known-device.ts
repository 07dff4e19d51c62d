import type { KnownDevices } from '../ports/authorization.ts';
import type { OneTimeCodeKey } from '../ports/flows.ts';
import type { Browser } from './browser.ts';

/**
 * Codes that a browser types on the hosted page. Anybody can name an identifier there and fail three times, and so lock it
 * again and again; a browser from which the user has logged in before has codes and counters of its own, which a stranger
 * cannot reach (NIST SP 800-63B-4 §3.2.2, ASVS 6.1.1).
 */
export async function hostedCodeKey(
  ports: { readonly knownDevices: KnownDevices },
  key: OneTimeCodeKey,
  browser: Browser,
  userId: string | undefined,
): Promise<OneTimeCodeKey> {
  const known =
    userId !== undefined && !browser.isNew && (await ports.knownDevices.isKnown(userId, browser.hash));
  return known ? { ...key, identifierHash: `${key.identifierHash}.${browser.hash}` } : key;
}
