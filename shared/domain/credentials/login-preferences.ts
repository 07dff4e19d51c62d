import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { LoginPreferences } from '../../ports/login-preferences.ts';
import { type AddressType, CHANNELS, type Channel, channels } from '../../records/channels.ts';

/**
 * Returns the application's settings for a login method. Errors: `auth_login_preferences_absent` if it has no login settings at
 * all, `auth_login_preferences_missing` if it has none for this method.
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
