import { ServiceError } from '../../errors/service-error.ts';
import type { Client } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';
import { PUSHED_REQUEST_SECONDS } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import type { AuthorizationParameters } from './authorization-request.ts';
import { openStoredRequest, storeRequest } from './kept-request.ts';

/** Prefix of the `request_uri` of a pushed request (RFC 9126 §2.2). */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** Reference to a pushed request. `expiresIn` is in seconds. */
export interface PushedReference {
  readonly requestUri: string;
  readonly expiresIn: number;
}

const purpose = 'pushed-request' as const;

/** Stores the parameters of a pushed request and returns its reference (RFC 9126 §2.2). */
export async function storePushedRequest(
  ports: PortsWith<'pushedRequests.put'>,
  { clientId }: Client,
  parameters: AuthorizationParameters,
  now: number,
): Promise<PushedReference> {
  const secret = await storeRequest(ports, { purpose, clientId }, parameters, now);
  return { requestUri: `${PREFIX}${secret}`, expiresIn: PUSHED_REQUEST_SECONDS };
}

export interface OpenedRequest {
  readonly parameters: AuthorizationParameters;
  /**
   * ID of the only login that the reference can start, so that a reload finds this login again. The ID depends on the browser's
   * secret and cannot be guessed from the reference, which is sent in a URL.
   */
  readonly loginId: string;
}

/**
 * Returns the parameters of a pushed request. Only the client that pushed them gets them, and only for the first browser that
 * presents the reference (RFC 9126 §4). Errors: `request_uri_not_supported` for a URI in another format, `request_uri_spent`.
 */
export async function openPushedRequest(
  ports: PortsWith<'pushedRequests.spend'>,
  requestUri: string,
  { browser, client: { clientId } }: { readonly browser: Browser; readonly client: Client },
  now: number,
): Promise<OpenedRequest> {
  if (!requestUri.startsWith(PREFIX)) throw new ServiceError('request_uri_not_supported');
  const secret = requestUri.slice(PREFIX.length);
  const parameters = await openStoredRequest(ports, { purpose, clientId, secret }, browser, now);
  return { parameters, loginId: hashSecret(`${secret}.${browser.secret}`) };
}
