import { awaitAll } from '../../domain/basis/await-all.ts';
import { requireProvider } from '../../domain/social/provider.ts';
import { newUpstreamLogin, type UpstreamPurpose } from '../../domain/social/upstream-login.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { Using } from '../../ports/uses.ts';
import { authorizationUrl } from '../../providers/authorize.ts';
import { dialectOf } from '../../providers/registry.ts';
import type { BrowserContext } from './browser-context.ts';

/**
 * Stores what the answer of the provider is checked against, and returns the URL that the browser goes to.
 * Errors: `provider_not_configured`, `provider_unavailable`, `provider_failed`.
 */
export async function startProviderLogin(
  ports: Using<'upstreamLogins.put'>,
  context: BrowserContext,
  provider: ProviderName,
  purpose: UpstreamPurpose,
): Promise<string> {
  const { application, settings } = context;
  const preference = requireProvider(application, provider);
  const { record, binding } = newUpstreamLogin(context, provider, purpose, settings.baseUrl);
  const [url] = await awaitAll(
    authorizationUrl(dialectOf(provider, preference), preference.clientId, binding, settings),
    ports.upstreamLogins.put(record),
  );
  return url;
}
