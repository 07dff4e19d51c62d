import { invalidInput } from '../../errors/service-error.ts';
import type { LinkPreference, LoginPreferences, PasscodePreference } from '../../ports/login-preferences.ts';
import type { ProviderName, ProviderPreference } from '../../ports/providers.ts';
import type { LoginPreferencesFields, LoginPreferencesRecord } from '../../schemas/management.ts';
import { changed, type Field } from '../basis/change-record.ts';
import { allFields } from '../basis/omit-undefined.ts';

type PasscodeRecord = NonNullable<LoginPreferencesRecord['email']>;
type LinkRecord = NonNullable<LoginPreferencesRecord['link']>;
type ProviderRecord = NonNullable<LoginPreferencesRecord['google']>;

function providerRecord(preference: ProviderPreference | undefined): ProviderRecord | undefined {
  return (
    preference &&
    allFields<ProviderRecord>({
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
    throw invalidInput(
      `login_preferences.${provider}.issuer: must be an https address without query and fragment`,
    );
  return given;
}
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function readProvider(
  provider: ProviderName,
  given: LoginPreferencesFields['google'],
): Field<ProviderPreference> {
  return (
    given &&
    allFields<ProviderPreference>({
      clientId: given.client_id,
      issuer: given.issuer ? readIssuer(provider, given.issuer) : undefined,
      trustedForEmail: given.trusted_for_email ?? undefined,
      enabled: given.enabled ?? undefined,
    })
  );
}

function passcodeRecord(preference: PasscodePreference | undefined): PasscodeRecord | undefined {
  return (
    preference &&
    allFields<PasscodeRecord>({
      digits: preference.digits,
      expires_minutes: preference.expiresMinutes,
      max_tries: preference.maxTries,
      lock_minutes: preference.lockMinutes,
    })
  );
}

function readPasscode(given: LoginPreferencesFields['email']): Field<PasscodePreference> {
  return (
    given &&
    allFields<PasscodePreference>({
      digits: given.digits ?? undefined,
      expiresMinutes: given.expires_minutes ?? undefined,
      maxTries: given.max_tries ?? undefined,
      lockMinutes: given.lock_minutes ?? undefined,
    })
  );
}

function readLink(given: LoginPreferencesFields['link']): Field<LinkPreference> {
  return (
    given &&
    allFields<LinkPreference>({
      expiresMinutes: given.expires_minutes ?? undefined,
      interstitial: given.interstitial ?? undefined,
    })
  );
}

export function loginPreferencesRecord(preferences: LoginPreferences): LoginPreferencesRecord {
  const { link } = preferences;
  return allFields<LoginPreferencesRecord>({
    link:
      link &&
      allFields<LinkRecord>({
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
  return allFields<LoginPreferences>({
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
