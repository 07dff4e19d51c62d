import { ServiceError } from '../../errors/service-error.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';
import { PUSHED_REQUEST_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';

/** Unvalidated parameters that are stored for a later request. */
export type StoredParameters = Readonly<Record<string, string | undefined>>;

interface RequestOwner {
  /** Purpose of the stored parameters. A secret for one purpose cannot open parameters of another. */
  readonly purpose: 'pushed-request' | 'logout-request';
  readonly clientId: string;
}

/**
 * Stores parameters for one minute from `now` (epoch seconds) and returns the secret that opens them. The parameters are
 * encrypted, because they may contain an address or a token.
 */
export async function storeRequest(
  ports: PortsWith<'pushedRequests.put'>,
  { purpose, clientId }: RequestOwner,
  parameters: StoredParameters,
  now: number,
): Promise<string> {
  const secret = newSecret();
  await ports.pushedRequests.put({
    hash: hashSecret(secret),
    clientId,
    parameters: seal(secret, purpose, JSON.stringify(parameters)),
    expiresAt: now + PUSHED_REQUEST_SECONDS,
  });
  return secret;
}

/** Returns stored parameters to the first browser that presents their secret, also on reload. Errors: `request_uri_spent`. */
export async function openStoredRequest(
  ports: PortsWith<'pushedRequests.spend'>,
  { purpose, clientId, secret }: RequestOwner & { readonly secret: string },
  browser: Browser,
  now: number,
): Promise<StoredParameters> {
  const key = { hash: hashSecret(secret), clientId };
  const kept = await ports.pushedRequests.spend(key, browser.hash, now);
  const parameters = kept && unseal(secret, purpose, kept.parameters);
  if (parameters === undefined) throw new ServiceError('request_uri_spent');
  return JSON.parse(parameters) as StoredParameters;
}
