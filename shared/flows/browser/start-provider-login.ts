import { awaitAll } from '../../domain/basis/await-all.ts';
import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts';
import { requireProvider } from '../../domain/social/provider.ts';
import { newUpstreamLogin, type UpstreamPurpose } from '../../domain/social/upstream-login.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { authorizationUrl } from '../../providers/authorize.ts';
import type { ProviderWishes } from '../../providers/dialect.ts';
import { createDialect } from '../../providers/registry.ts';
import type { BrowserContext } from './browser-context.ts';

/**
 * Returns what an authorization request demands of the login at a provider, such as a maximum age.
 * @param confirms True if the user must log in again at the provider to confirm their identity
 */
export const readProviderWishes = (
  { prompts, maxAge, loginHint, uiLocales }: AuthorizationRequest,
  confirms = false,
): ProviderWishes => {
  const forcesLogin = confirms || prompts.includes('login') || maxAge === 0;
  return omitUndefined<ProviderWishes>({
    forcesLogin,
    selectsAccount: prompts.includes('select_account'),
    maxAge: forcesLogin ? 0 : maxAge,
    loginHint,
    uiLocales: uiLocales?.replaceAll('_', '-'),
  });
};

interface ProviderStart {
  readonly provider: ProviderName;
  readonly purpose: UpstreamPurpose;
  readonly wishes: ProviderWishes;
}

/**
 * Starts a login at a provider and returns the URL to which the browser must be redirected. Stores the state with which the
 * provider's response is compared later. Errors: `provider_not_configured`, `provider_unavailable`, `provider_failed`.
 */
export async function startProviderLogin(
  ports: PortsWith<'upstreamLogins.put'>,
  context: BrowserContext,
  { provider, purpose, wishes }: ProviderStart,
): Promise<string> {
  const { application, settings } = context;
  const preference = requireProvider(application, provider);
  const { record, binding } = newUpstreamLogin(context, provider, purpose, settings.baseUrl);
  const [url] = await awaitAll(
    authorizationUrl(createDialect(provider, preference), preference.clientId, binding, {
      loopback: settings.loopback,
      wishes,
    }),
    ports.upstreamLogins.put(record),
  );
  return url;
}
