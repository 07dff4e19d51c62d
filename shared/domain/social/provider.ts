import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { ProviderName, ProviderPreference, ProviderSecret } from '../../ports/providers.ts';
import { isBuiltIn, isProvider, PROVIDERS, providers } from '../../records/providers.ts';
import { findPreference } from '../credentials/login-preferences.ts';

export { isProvider, PROVIDERS };

/** Returns an application's settings for an enabled social provider. Errors: `provider_not_configured`. */
export function requireProvider(application: Application, name: ProviderName): ProviderPreference {
  const preference = findPreference(application, name);
  if (!preference || preference.enabled === false) throw new ServiceError('provider_not_configured');
  return preference;
}

/**
 * Returns the client secret with which an application authenticates at a provider. Rejects a secret that was set for another
 * issuer, because an operator could otherwise have it sent elsewhere by changing the issuer. Errors: `provider_failed`.
 */
export function requireMatchingSecret(
  { issuer }: ProviderPreference,
  secret: ProviderSecret | undefined,
): ProviderSecret | undefined {
  if (secret && secret.issuer !== issuer)
    throw new ServiceError('provider_failed', { audit: { providerError: 'secret_of_another_issuer' } });
  return secret;
}

/** Returns true if email addresses from a provider count as proven. A custom issuer needs the setting `trustedForEmail`. */
export function isTrustedForEmail(
  provider: ProviderName,
  { trustedForEmail, issuer }: ProviderPreference,
): boolean {
  return (
    trustedForEmail ?? (issuer === undefined && isBuiltIn(provider) && providers[provider].verifiesAddresses)
  );
}

/**
 * Returns the path of a provider's redirect URI. The path has no API version, because the provider accepts only the registered
 * URI. Each provider has a separate path to prevent mix-up attacks (RFC 9700 §4.4.2).
 */
export function callbackPath(provider: ProviderName): string {
  return `/auth/${provider}/callback`;
}

const PROVIDER_PATH = /\/auth\/((?:openid\/)?[^/]+)(?:\/callback)?$/;

/** Returns the provider whose name is in the path. Throws if no provider has this name. */
export function readProviderFromPath(path: string): ProviderName {
  const [, provider] = PROVIDER_PATH.exec(path) ?? [];
  if (!isProvider(provider)) throw new Error('a row of a social login has a path without a provider');
  return provider;
}
