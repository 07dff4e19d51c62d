import { invalidInput } from '../../errors/service-error.ts';
import type {
  LoginPreferences,
  LoginPreferencesFields,
  LoginPreferencesRecord,
} from '../../ports/login-preferences.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { CreateInput } from '../../records/field.ts';
import { linkFields, loginPreferencesFields, passcodeFields } from '../../records/login-preferences.ts';
import { byProvider, type providerFields, providers } from '../../records/providers.ts';
import { applyChanges, createRecord, toRecordView } from '../../records/record.ts';
import { canBeCalled, type LocalExceptions } from '../basis/redirect-uri.ts';

/** Validates an issuer: `https`, no query, no fragment (OpenID Connect Discovery §3). It must be public, because we call it. */
function readIssuer(provider: ProviderName, given: string, exceptions: LocalExceptions): string {
  const url = URL.parse(given);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !canBeCalled(url, exceptions))
    throw invalidInput(
      `login_preferences.${provider}.issuer: must be a public https address without query and fragment`,
    );
  return given;
}

export const toLoginPreferencesRecord = (preferences: LoginPreferences): LoginPreferencesRecord =>
  toRecordView(loginPreferencesFields, preferences);

/**
 * Applies the given login methods. The settings of a given method replace its previous settings completely; other methods stay.
 */
export function readLoginPreferences(
  current: LoginPreferences = {},
  given: LoginPreferencesFields,
  exceptions: LocalExceptions,
): LoginPreferences {
  // An unchanged issuer is not validated again.
  const provider = (name: ProviderName) => (preference: CreateInput<typeof providerFields>) => {
    if (preference.issuer && preference.directories)
      throw invalidInput(`login_preferences.${name}.directories: cannot be combined with issuer`);
    return createRecord(providers[name].fields as typeof providerFields, {}, preference, {
      issuer: (issuer) => (issuer === current[name]?.issuer ? issuer : readIssuer(name, issuer, exceptions)),
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
