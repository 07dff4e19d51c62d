import type { PortsWith } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';

/**
 * Returns true if the user has logged in from this browser before `now` (epoch seconds). Codes and messages of such a browser
 * have separate limits, so that attackers elsewhere cannot lock the user out (NIST SP 800-63B-4 §3.2.2, ASVS 6.1.1).
 */
export async function isKnownBrowser(
  ports: PortsWith<'knownDevices.isKnown'>,
  browser: Browser,
  userId: string,
  now: number,
): Promise<boolean> {
  return !browser.isNew && ports.knownDevices.isKnown(userId, browser.hash, now);
}
