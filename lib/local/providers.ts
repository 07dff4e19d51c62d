import { PROVIDERS } from '../../shared/domain/social/provider.ts';
import type { ProviderPreference, ProviderSecret } from '../../shared/ports/providers.ts';
import type { BuiltInProvider } from '../../shared/records/providers.ts';

/** Settings and secrets of the social providers of the demo application. */
export type DemoProviders = Readonly<
  Partial<
    Record<BuiltInProvider, { readonly preference: ProviderPreference; readonly secret: ProviderSecret }>
  >
>;

/**
 * Reads the social providers from the environment variables `SOCIAL_<PROVIDER>_ISSUER`, `_CLIENT_ID` and `_CLIENT_SECRET`.
 * Email addresses that the developer's own issuer has verified are trusted.
 */
export function readProviders(env: NodeJS.ProcessEnv): DemoProviders {
  const found = PROVIDERS.flatMap((provider) => {
    const value = (name: string) => env[`SOCIAL_${provider.toUpperCase()}_${name}`] || undefined;
    const [clientId, issuer, clientSecret] = [value('CLIENT_ID'), value('ISSUER'), value('CLIENT_SECRET')];
    if (clientId === undefined) return [];
    const preference: ProviderPreference =
      issuer === undefined ? { clientId } : { clientId, issuer, trustedForEmail: true };
    return [[provider, { preference, secret: clientSecret === undefined ? {} : { clientSecret } }] as const];
  });
  return Object.fromEntries(found);
}
