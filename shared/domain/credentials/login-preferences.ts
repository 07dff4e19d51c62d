import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { LoginPreferences } from '../../ports/login-preferences.ts';

/**
 * The application's settings of a login method. Errors: `auth_login_preferences_absent` when it has no settings at all,
 * `auth_login_preferences_missing` when it has none for this method.
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
