import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { ProviderName, ProviderPreference } from '../../ports/providers.ts';

/** Social providers of an application. */

export const PROVIDERS: readonly ProviderName[] = ['google', 'apple', 'facebook', 'line'];

/** Which of them answer for the addresses that they say to be verified; an application may judge otherwise. */
const ANSWERS_FOR_ADDRESSES: Readonly<Record<ProviderName, boolean>> = {
  google: true,
  apple: true,
  facebook: false,
  line: false,
};

export function isProvider(name: string | undefined): name is ProviderName {
  return PROVIDERS.some((provider) => provider === name);
}

/** Those that a person can be sent to, in the order in which they are offered. */
export function configuredProviders({ loginPreferences }: Application): readonly ProviderName[] {
  return PROVIDERS.filter((provider) => {
    const preference = loginPreferences?.[provider];
    return preference !== undefined && preference.enabled !== false;
  });
}

/** Errors: `provider_not_configured`. */
export function requireProvider(application: Application, name: string): ProviderPreference {
  const preference = isProvider(name) ? application.loginPreferences?.[name] : undefined;
  if (!preference || preference.enabled === false) throw new ServiceError('provider_not_configured');
  return preference;
}

/** An issuer in the place of the provider's own has to be trusted by name. */
export function isTrustedForEmail(
  provider: ProviderName,
  { trustedForEmail, issuer }: ProviderPreference,
): boolean {
  return trustedForEmail ?? (issuer === undefined && ANSWERS_FOR_ADDRESSES[provider]);
}

/** Registered at the provider, so it has no version; each provider has its own (RFC 9700 §4.4.2). */
export function callbackPath(provider: ProviderName): string {
  return `/auth/${provider}/callback`;
}

/** The provider that a path ends in, or has before its last part. */
export function providerOfPath(path: string): ProviderName {
  const provider = path.split('/').find(isProvider);
  if (!provider) throw new Error('a row of providers has a path without any');
  return provider;
}
