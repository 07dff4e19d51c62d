import { invalidInput } from '../../errors/service-error.ts';
import type {
  LoginPreferences,
  LoginPreferencesFields,
  LoginPreferencesRecord,
} from '../../ports/login-preferences.ts';
import type { CreateInput } from '../../records/field.ts';
import { linkFields, loginPreferencesFields, passcodeFields } from '../../records/login-preferences.ts';
import { type BuiltInProvider, byProvider, type providerFields, providers } from '../../records/providers.ts';
import { applyChanges, createRecord, toRecordView } from '../../records/record.ts';
import type { LocalExceptions } from '../basis/redirect-uri.ts';
import { readIssuer } from './openid-providers.ts';

/**
 * Validates an issuer that replaces the issuer of a built-in provider. Only the local server accepts a new one: in production,
 * users would click the button of one provider and log in at another. Errors: `system_invalid_input`.
 */
function readReplacingIssuer(provider: BuiltInProvider, given: string, exceptions: LocalExceptions): string {
  const field = `login_preferences.${provider}.issuer`;
  if (!exceptions.loopback)
    throw invalidInput(`${field}: cannot be set; add the provider by name to openid_providers instead`);
  return readIssuer(field, given, exceptions);
}

export const toLoginPreferencesRecord = (preferences: LoginPreferences): LoginPreferencesRecord =>
  toRecordView(loginPreferencesFields, preferences);

/**
 * Applies the given login methods. The settings of a given method replace its previous settings completely; other methods
 * remain unchanged.
 */
export function readLoginPreferences(
  current: LoginPreferences = {},
  given: LoginPreferencesFields,
  exceptions: LocalExceptions,
): LoginPreferences {
  // An unchanged issuer is not validated again.
  const provider = (name: BuiltInProvider) => (preference: CreateInput<typeof providerFields>) => {
    if (preference.issuer && preference.directories)
      throw invalidInput(`login_preferences.${name}.directories: cannot be combined with issuer`);
    return createRecord(providers[name].fields as typeof providerFields, {}, preference, {
      issuer: (issuer) =>
        issuer === current[name]?.issuer ? issuer : readReplacingIssuer(name, issuer, exceptions),
    });
  };
  const passcode = (preference: CreateInput<typeof passcodeFields>) =>
    createRecord(passcodeFields, {}, preference);
  return applyChanges(loginPreferencesFields, current, given, {
    link: (preference) => createRecord(linkFields, {}, preference),
    email: passcode,
    sms: passcode,
    direct: passcode,
    ...byProvider(provider),
  });
}
