import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { findAddressFault, isOnThisMachine } from '../domain/basis/public-address.ts';
import { createProviderCalls } from './calls.ts';
import type { Dialect, ProviderWishes } from './dialect.ts';
import { discoverServer } from './discovery.ts';
import { asProviderError, providerFailed } from './failures.ts';

/** Values that bind a provider's response to its request. */
export interface UpstreamBinding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/**
 * Returns the URL to which the browser is redirected for the login at the provider (OIDC Core §3.1.2.1, RFC 7636). Errors:
 * `provider_unavailable`, `provider_failed`.
 */
export async function authorizationUrl(
  dialect: Dialect,
  clientId: string,
  { state, nonce, codeVerifier, redirectUri }: UpstreamBinding,
  options: { readonly loopback: boolean; readonly wishes: ProviderWishes },
): Promise<string> {
  try {
    const server = await discoverServer(dialect, createProviderCalls(options));
    const url = URL.parse(server.authorization_endpoint ?? '');
    // The provider must not send the browser to an address in the user's internal network.
    if (!url || (findAddressFault(url) !== undefined && !(options.loopback && isOnThisMachine(url))))
      throw providerFailed('authorization_endpoint');
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: dialect.scope,
      state,
      ...(dialect.idToken === 'none' ? {} : { nonce }),
      ...(dialect.pkce
        ? { code_challenge: await calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' }
        : {}),
      ...dialect.parameters,
      ...dialect.wishParameters?.(options.wishes),
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  } catch (error) {
    throw asProviderError(error);
  }
}
