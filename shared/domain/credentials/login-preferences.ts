import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { LoginPreferences } from '../../ports/login-preferences.ts';
import type { UpstreamAccount } from '../../ports/people.ts';
import type { OpenIdProvider, ProviderName, ProviderPreference } from '../../ports/providers.ts';
import { type AddressType, CHANNELS, type Channel, channels } from '../../records/channels.ts';
import { isBuiltIn, PROVIDERS } from '../../records/providers.ts';

/**
 * Returns the application's settings for a login method. Errors: `auth_login_preferences_absent` if the application has no
 * login settings, `auth_login_preferences_missing` if it has no settings for this method.
 */
export function requirePreference<Method extends keyof LoginPreferences>(
  application: Application,
  method: Method,
): NonNullable<LoginPreferences[Method]> {
  const preferences = application.loginPreferences;
  if (!preferences || Object.keys(preferences).length === 0)
    throw new ServiceError('auth_login_preferences_absent');
  const preference = preferences[method];
  if (!preference) throw new ServiceError('auth_login_preferences_missing');
  return preference;
}

/** Returns the message channels that an application has configured, optionally only those for one address type. */
export const configuredChannels = (
  { loginPreferences = {} }: Pick<Application, 'loginPreferences'>,
  type?: AddressType,
): readonly Channel[] =>
  CHANNELS.filter(
    (channel) =>
      loginPreferences[channel] !== undefined && (type === undefined || channels[channel].address === type),
  );

/** Returns true if an application has a message channel for an address type. */
export const sendsTo = (application: Pick<Application, 'loginPreferences'>, type: AddressType): boolean =>
  configuredChannels(application, type).length > 0;

/** Settings of an application that say which providers it offers. */
type Offering = Pick<Application, 'loginPreferences' | 'openidProviders'>;

const toOpenIdName = ({ name }: OpenIdProvider) => `openid/${name}` as const;

/** Returns the names of an application's custom OpenID providers, whether they are enabled or not. */
export const listOpenIdProviders = ({ openidProviders = [] }: Offering): readonly ProviderName[] =>
  openidProviders.map(toOpenIdName);

/** Returns an application's settings for a provider, even if the provider is disabled. */
export function findPreference(
  application: Offering,
  provider: ProviderName,
): ProviderPreference | undefined {
  if (isBuiltIn(provider)) return application.loginPreferences?.[provider];
  return application.openidProviders?.find((own) => toOpenIdName(own) === provider);
}

/** Returns the enabled social providers of an application, in the order of their buttons. */
export function configuredProviders(application: Offering): readonly ProviderName[] {
  return [...PROVIDERS, ...listOpenIdProviders(application)].filter((provider) => {
    const preference = findPreference(application, provider);
    return preference !== undefined && preference.enabled !== false;
  });
}

/**
 * Returns the providers at which an application accepts an account, whether they are enabled or not. For custom OpenID
 * providers, only the issuer must match, because each application can give the same provider another name.
 */
export function findProvidersOfAccount(
  application: Offering,
  { provider, issuer }: Pick<UpstreamAccount, 'provider' | 'issuer'>,
): readonly ProviderName[] {
  const names = isBuiltIn(provider) ? [provider] : listOpenIdProviders(application);
  return names.filter((name) => {
    const preference = findPreference(application, name);
    return preference !== undefined && preference.issuer === issuer;
  });
}
