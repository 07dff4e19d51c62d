import { invalidInput } from '../../errors/service-error.ts';
import type { LinkPreference, LoginPreferences, PasscodePreference } from '../../ports/login-preferences.ts';
import type { ProviderName, ProviderPreference } from '../../ports/providers.ts';
import type { LoginPreferencesFields, LoginPreferencesRecord } from '../../schemas/login-preferences.ts';
import { changed, type Field } from '../basis/change-record.ts';
import { allFields } from '../basis/omit-undefined.ts';
import { addressComplaint, isOnThisMachine } from '../basis/public-address.ts';

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

/** What the command line of a local server may do, and no caller over HTTP. */
export interface LocalLeave {
  /** Issuers of social providers on this machine. */
  readonly loopbackIssuers: boolean;
}

const NAMES_OF_THIS_MACHINE = /(?:^|\.)localhost\.?$/;

/** OpenID Connect Discovery §3: `https`, no query, no fragment. The service calls it, so it is in no inner network. */
function readIssuer(provider: ProviderName, given: string, { loopbackIssuers }: LocalLeave): string {
  const url = URL.parse(given);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  const isPublic = url && addressComplaint(url) === undefined && !NAMES_OF_THIS_MACHINE.test(url.hostname);
  if (!isPlain || !(isPublic || (loopbackIssuers && isOnThisMachine(url))))
    throw invalidInput(
      `login_preferences.${provider}.issuer: must be a public https address without query and fragment`,
    );
  return given;
}

/** An issuer that stays is not read again. */
function readProvider(
  provider: ProviderName,
  current: ProviderPreference | undefined,
  given: LoginPreferencesFields['google'],
  leave: LocalLeave,
): Field<ProviderPreference> {
  const issuer = given?.issuer ?? undefined;
  return (
    given &&
    allFields<ProviderPreference>({
      clientId: given.client_id,
      issuer:
        issuer === undefined || issuer === current?.issuer ? issuer : readIssuer(provider, issuer, leave),
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
  leave: LocalLeave,
): LoginPreferences {
  const provider = (name: ProviderName) =>
    changed(current?.[name], readProvider(name, current?.[name], given[name], leave));
  return allFields<LoginPreferences>({
    link: changed(current?.link, readLink(given.link)),
    email: changed(current?.email, readPasscode(given.email)),
    sms: changed(current?.sms, readPasscode(given.sms)),
    direct: changed(current?.direct, readPasscode(given.direct)),
    passkey: changed(current?.passkey, given.passkey && {}),
    google: provider('google'),
    apple: provider('apple'),
    facebook: provider('facebook'),
    line: provider('line'),
  });
}
