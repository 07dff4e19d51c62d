import type { Using } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';
import { type KeptParameters, keepRequest, spendKeptRequest } from '../oauth/kept-request.ts';

/**
 * What an application asked for when it logged a browser out by POST, until the browser comes back by GET with its Lax
 * cookies. An ID token fits into no address that has other things to say, and belongs into no log of addresses.
 */

/** Who asked has proven nothing, so it belongs to no client. */
const LOGOUT = { purpose: 'logout-request', clientId: 'nobody' } as const;

/** Returns what leads to the parameters, once and within a minute. */
export function keepLogout(ports: Using<'pushedRequests.put'>, parameters: KeptParameters): Promise<string> {
  return keepRequest(ports, LOGOUT, parameters);
}

/** Errors: `request_uri_spent`. */
export function findKeptLogout(
  ports: Using<'pushedRequests.spend'>,
  secret: string,
  browser: Browser,
): Promise<KeptParameters> {
  return spendKeptRequest(ports, LOGOUT, secret, browser);
}
