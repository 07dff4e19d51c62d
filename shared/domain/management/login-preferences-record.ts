import type {
  LinkPreference,
  LoginPreferences,
  PasscodePreference,
  PasskeyPreference,
} from '../../ports/directory.ts';
import { present } from '../present.ts';
import { changed, type Field } from './change-record.ts';

/** How codes of one channel are made; a setting that is absent has its default. */
export interface PasscodePreferenceRecord {
  readonly digits?: number;
  readonly expires_minutes?: number;
  readonly max_tries?: number;
  readonly lock_minutes?: number;
}
export interface LinkPreferenceRecord {
  readonly expires_minutes?: number;
  readonly interstitial?: boolean;
}
export interface LoginPreferencesRecord {
  readonly link?: LinkPreferenceRecord;
  readonly email?: PasscodePreferenceRecord;
  readonly sms?: PasscodePreferenceRecord;
  readonly direct?: PasscodePreferenceRecord;
  readonly passkey?: PasskeyPreference;
}

type Given<T> = { readonly [Name in keyof T]?: Field<T[Name]> };

/** Each method is given as a whole; null switches it off. */
export interface LoginPreferencesFields {
  readonly link?: Field<Given<LinkPreferenceRecord>>;
  readonly email?: Field<Given<PasscodePreferenceRecord>>;
  readonly sms?: Field<Given<PasscodePreferenceRecord>>;
  readonly direct?: Field<Given<PasscodePreferenceRecord>>;
  readonly passkey?: Field<object>;
}

function passcodeRecord(preference: PasscodePreference | undefined): PasscodePreferenceRecord | undefined {
  return (
    preference &&
    present<PasscodePreferenceRecord>({
      digits: preference.digits,
      expires_minutes: preference.expiresMinutes,
      max_tries: preference.maxTries,
      lock_minutes: preference.lockMinutes,
    })
  );
}

function readPasscode(given: Field<Given<PasscodePreferenceRecord>>): Field<PasscodePreference> {
  return (
    given &&
    present<PasscodePreference>({
      digits: given.digits ?? undefined,
      expiresMinutes: given.expires_minutes ?? undefined,
      maxTries: given.max_tries ?? undefined,
      lockMinutes: given.lock_minutes ?? undefined,
    })
  );
}

function readLink(given: Field<Given<LinkPreferenceRecord>>): Field<LinkPreference> {
  return (
    given &&
    present<LinkPreference>({
      expiresMinutes: given.expires_minutes ?? undefined,
      interstitial: given.interstitial ?? undefined,
    })
  );
}

export function loginPreferencesRecord(preferences: LoginPreferences): LoginPreferencesRecord {
  const { link } = preferences;
  return present<LoginPreferencesRecord>({
    link:
      link &&
      present<LinkPreferenceRecord>({
        expires_minutes: link.expiresMinutes,
        interstitial: link.interstitial,
      }),
    email: passcodeRecord(preferences.email),
    sms: passcodeRecord(preferences.sms),
    direct: passcodeRecord(preferences.direct),
    passkey: preferences.passkey && {},
  });
}

/** The preferences with the given methods in place of the former ones; the other methods stay. */
export function readLoginPreferences(
  current: LoginPreferences | undefined,
  given: LoginPreferencesFields,
): LoginPreferences {
  return present<LoginPreferences>({
    link: changed(current?.link, readLink(given.link)),
    email: changed(current?.email, readPasscode(given.email)),
    sms: changed(current?.sms, readPasscode(given.sms)),
    direct: changed(current?.direct, readPasscode(given.direct)),
    passkey: changed(current?.passkey, given.passkey && {}),
  });
}
