import type {
  LinkPreference,
  LoginPreferences,
  PasscodePreference,
  PasskeyPreference,
} from '../../ports/login-preferences.ts';
import type { ProviderName, ProviderPreference } from '../../ports/providers.ts';
import { changed, type Field, refuseInput } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';

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
/** How the application is known to a social provider. Its secret is written by the command line alone. */
export interface ProviderPreferenceRecord {
  readonly client_id: string;
  readonly issuer?: string;
  readonly trusted_for_email?: boolean;
  readonly enabled?: boolean;
}
export interface LoginPreferencesRecord {
  readonly link?: LinkPreferenceRecord;
  readonly email?: PasscodePreferenceRecord;
  readonly sms?: PasscodePreferenceRecord;
  readonly direct?: PasscodePreferenceRecord;
  readonly passkey?: PasskeyPreference;
  readonly google?: ProviderPreferenceRecord;
  readonly apple?: ProviderPreferenceRecord;
  readonly facebook?: ProviderPreferenceRecord;
  readonly line?: ProviderPreferenceRecord;
}

type Given<T> = { readonly [Name in keyof T]?: Field<T[Name]> };

/** Each method is given as a whole; null switches it off. */
export interface LoginPreferencesFields {
  readonly link?: Field<Given<LinkPreferenceRecord>>;
  readonly email?: Field<Given<PasscodePreferenceRecord>>;
  readonly sms?: Field<Given<PasscodePreferenceRecord>>;
  readonly direct?: Field<Given<PasscodePreferenceRecord>>;
  readonly passkey?: Field<object>;
  readonly google?: Field<GivenProvider>;
  readonly apple?: Field<GivenProvider>;
  readonly facebook?: Field<GivenProvider>;
  readonly line?: Field<GivenProvider>;
}

type GivenProvider = Given<Omit<ProviderPreferenceRecord, 'client_id'>> & { readonly client_id: string };

function providerRecord(preference: ProviderPreference | undefined): ProviderPreferenceRecord | undefined {
  return (
    preference &&
    omitUndefined<ProviderPreferenceRecord>({
      client_id: preference.clientId,
      issuer: preference.issuer,
      trusted_for_email: preference.trustedForEmail,
      enabled: preference.enabled,
    })
  );
}

/** OpenID Connect Discovery §3: `https`, no query, no fragment; on the loopback of a developer's machine `http` too. */
function readIssuer(provider: ProviderName, given: string): string {
  const url = URL.parse(given);
  const isLoopback = url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || (url.protocol !== 'https:' && !isLoopback))
    refuseInput(`login_preferences.${provider}.issuer: must be an https address without query and fragment`);
  return given;
}
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function readProvider(provider: ProviderName, given: Field<GivenProvider>): Field<ProviderPreference> {
  return (
    given &&
    omitUndefined<ProviderPreference>({
      clientId: given.client_id,
      issuer: given.issuer ? readIssuer(provider, given.issuer) : undefined,
      trustedForEmail: given.trusted_for_email ?? undefined,
      enabled: given.enabled ?? undefined,
    })
  );
}

function passcodeRecord(preference: PasscodePreference | undefined): PasscodePreferenceRecord | undefined {
  return (
    preference &&
    omitUndefined<PasscodePreferenceRecord>({
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
    omitUndefined<PasscodePreference>({
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
    omitUndefined<LinkPreference>({
      expiresMinutes: given.expires_minutes ?? undefined,
      interstitial: given.interstitial ?? undefined,
    })
  );
}

export function loginPreferencesRecord(preferences: LoginPreferences): LoginPreferencesRecord {
  const { link } = preferences;
  return omitUndefined<LoginPreferencesRecord>({
    link:
      link &&
      omitUndefined<LinkPreferenceRecord>({
        expires_minutes: link.expiresMinutes,
        interstitial: link.interstitial,
      }),
    email: passcodeRecord(preferences.email),
    sms: passcodeRecord(preferences.sms),
    direct: passcodeRecord(preferences.direct),
    passkey: preferences.passkey && {},
    google: providerRecord(preferences.google),
    apple: providerRecord(preferences.apple),
    facebook: providerRecord(preferences.facebook),
    line: providerRecord(preferences.line),
  });
}

/** The preferences with the given methods in place of the former ones; the other methods stay. */
export function readLoginPreferences(
  current: LoginPreferences | undefined,
  given: LoginPreferencesFields,
): LoginPreferences {
  return omitUndefined<LoginPreferences>({
    link: changed(current?.link, readLink(given.link)),
    email: changed(current?.email, readPasscode(given.email)),
    sms: changed(current?.sms, readPasscode(given.sms)),
    direct: changed(current?.direct, readPasscode(given.direct)),
    passkey: changed(current?.passkey, given.passkey && {}),
    google: changed(current?.google, readProvider('google', given.google)),
    apple: changed(current?.apple, readProvider('apple', given.apple)),
    facebook: changed(current?.facebook, readProvider('facebook', given.facebook)),
    line: changed(current?.line, readProvider('line', given.line)),
  });
}
