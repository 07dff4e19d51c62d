import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { ProviderName, ProviderPreference, ProviderSecret } from '../../ports/providers.ts';
import { isProvider, PROVIDERS, providers } from '../../records/providers.ts';

/** Social providers of an application. */

export { isProvider, PROVIDERS };

/** The enabled providers, in the order of their buttons. */
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

/**
 * The secret, unless it was set for another issuer: who changes the issuer must not have it sent there.
 * Errors: `provider_failed`.
 */
export function requireSecretOf(
  { issuer }: ProviderPreference,
  secret: ProviderSecret | undefined,
): ProviderSecret | undefined {
  if (secret && secret.issuer !== issuer)
    throw new ServiceError('provider_failed', { audit: { providerError: 'secret_of_another_issuer' } });
  return secret;
}

/** Whether addresses from this provider count as proven. An issuer of the application's own needs `trustedForEmail`. */
export function isTrustedForEmail(
  provider: ProviderName,
  { trustedForEmail, issuer }: ProviderPreference,
): boolean {
  return trustedForEmail ?? (issuer === undefined && providers[provider].verifiesAddresses);
}

/** Registered at the provider, so it has no version. One for each provider, against mix-up (RFC 9700 §4.4.2). */
export function callbackPath(provider: ProviderName): string {
  return `/auth/${provider}/callback`;
}

/** The provider that a path names. */
export function providerOfPath(path: string): ProviderName {
  const provider = path.split('/').find(isProvider);
  if (!provider) throw new Error('a row of a social login has a path without a provider');
  return provider;
}
