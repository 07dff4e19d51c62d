import { ServiceError } from '../../errors/service-error.ts';
import type { Using } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';
import { PUSHED_REQUEST_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';

/** Raw parameters. */
export type KeptParameters = Readonly<Record<string, string | undefined>>;

interface KeptFor {
  /** A secret of one purpose opens nothing of another. */
  readonly purpose: 'pushed-request' | 'logout-request';
  readonly clientId: string;
}

/**
 * Stores parameters from `now` (epoch seconds) for a minute and returns the secret that opens them once. They are sealed:
 * they may hold an address or a token.
 */
export async function keepRequest(
  ports: Using<'pushedRequests.put'>,
  { purpose, clientId }: KeptFor,
  parameters: KeptParameters,
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

/** The parameters of a secret, for the first browser that brings it; that browser may reload. Errors: `request_uri_spent`. */
export async function spendKeptRequest(
  ports: Using<'pushedRequests.spend'>,
  { purpose, clientId, secret }: KeptFor & { readonly secret: string },
  browser: Browser,
  now: number,
): Promise<KeptParameters> {
  const asked = { hash: hashSecret(secret), clientId };
  const kept = await ports.pushedRequests.spend(asked, browser.hash, now);
  const parameters = kept && unseal(secret, purpose, kept.parameters);
  if (parameters === undefined) throw new ServiceError('request_uri_spent');
  return JSON.parse(parameters) as KeptParameters;
}
