import { ServiceError } from '../errors/service-error.ts';
import type { PushedRequests } from '../ports/authorization.ts';
import type { Client } from '../ports/directory.ts';
import type { AuthorizationParameters } from './authorization-request.ts';
import type { Browser } from './browser.ts';
import { PUSHED_REQUEST_SECONDS } from './limits.ts';
import { hashSecret, newSecret } from './random.ts';
import { seal, unseal } from './sealing.ts';
import { nowSeconds } from './time.ts';

/** RFC 9126 §2.2. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';

export interface PushedReference {
  readonly requestUri: string;
  readonly expiresIn: number;
}

const SEAL = 'pushed-request';

/**
 * Keeps the parameters of an authorization request behind a reference that works once, for a minute. Among them may be an
 * address (`login_hint`), so only the reference opens them.
 */
export async function keepPushedRequest(
  ports: { readonly pushedRequests: PushedRequests },
  client: Client,
  parameters: AuthorizationParameters,
): Promise<PushedReference> {
  const secret = newSecret();
  await ports.pushedRequests.put({
    hash: hashSecret(secret),
    clientId: client.clientId,
    parameters: seal(secret, SEAL, JSON.stringify(parameters)),
    expiresAt: nowSeconds() + PUSHED_REQUEST_SECONDS,
  });
  return { requestUri: `${PREFIX}${secret}`, expiresIn: PUSHED_REQUEST_SECONDS };
}

/**
 * The parameters behind a reference, for the client that pushed them. It is spent by the first browser that brings it, which
 * may reload. Errors: `request_uri_not_supported` for a foreign kind of URI, else `request_uri_spent`.
 */
export async function spendPushedRequest(
  ports: { readonly pushedRequests: PushedRequests },
  requestUri: string,
  { browser, client }: { readonly browser: Browser; readonly client: Client },
): Promise<AuthorizationParameters> {
  if (!requestUri.startsWith(PREFIX)) throw new ServiceError('request_uri_not_supported');
  const secret = requestUri.slice(PREFIX.length);
  const pushed = await ports.pushedRequests.spend(hashSecret(secret), browser.hash, nowSeconds());
  const parameters = pushed && unseal(secret, SEAL, pushed.parameters);
  if (parameters === undefined || pushed?.clientId !== client.clientId)
    throw new ServiceError('request_uri_spent');
  return JSON.parse(parameters) as AuthorizationParameters;
}
