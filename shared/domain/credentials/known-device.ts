import type { Using } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';

/**
 * Whether the user has logged in from this browser, at `now` (epoch seconds). Its codes and sends count apart: what strangers
 * do elsewhere must not keep it out (NIST SP 800-63B-4 §3.2.2, ASVS 6.1.1).
 */
export async function isKnownBrowser(
  ports: Using<'knownDevices.isKnown'>,
  browser: Browser,
  userId: string,
  now: number,
): Promise<boolean> {
  return !browser.isNew && ports.knownDevices.isKnown(userId, browser.hash, now);
}
