import type { LinkPreference, LoginPreferences, PasscodePreference } from '../../ports/login-preferences.ts';
import type { ProviderPreference } from '../../ports/providers.ts';
import {
  omitUndefined,
  optionalFlag,
  optionalMap,
  optionalNumber,
  optionalText,
  text,
} from '../attributes.ts';
import type { Item } from '../table.ts';

/** Login preferences as they stand in the item of their application. */

const passcodeAttributes = (preference: PasscodePreference | undefined) =>
  preference && {
    digits: preference.digits,
    expires_minutes: preference.expiresMinutes,
    max_tries: preference.maxTries,
    lock_minutes: preference.lockMinutes,
  };

const toPasscode = (item: Item | undefined): PasscodePreference | undefined =>
  item &&
  omitUndefined({
    digits: optionalNumber(item, 'digits'),
    expiresMinutes: optionalNumber(item, 'expires_minutes'),
    maxTries: optionalNumber(item, 'max_tries'),
    lockMinutes: optionalNumber(item, 'lock_minutes'),
  });

const toLink = (item: Item | undefined): LinkPreference | undefined =>
  item &&
  omitUndefined({
    expiresMinutes: optionalNumber(item, 'expires_minutes'),
    interstitial: optionalFlag(item, 'interstitial'),
  });

const providerAttributes = (preference: ProviderPreference | undefined) =>
  preference && {
    client_id: preference.clientId,
    issuer: preference.issuer,
    trusted_for_email: preference.trustedForEmail,
    enabled: preference.enabled,
  };

const toProvider = (item: Item | undefined): ProviderPreference | undefined =>
  item &&
  omitUndefined({
    clientId: text(item, 'client_id'),
    issuer: optionalText(item, 'issuer'),
    trustedForEmail: optionalFlag(item, 'trusted_for_email'),
    enabled: optionalFlag(item, 'enabled'),
  });

export const preferenceAttributes = (preferences: LoginPreferences | undefined) =>
  preferences && {
    link: preferences.link && {
      expires_minutes: preferences.link.expiresMinutes,
      interstitial: preferences.link.interstitial,
    },
    email: passcodeAttributes(preferences.email),
    sms: passcodeAttributes(preferences.sms),
    direct: passcodeAttributes(preferences.direct),
    passkey: preferences.passkey && {},
    google: providerAttributes(preferences.google),
    apple: providerAttributes(preferences.apple),
    facebook: providerAttributes(preferences.facebook),
    line: providerAttributes(preferences.line),
  };

export const toPreferences = (item: Item | undefined): LoginPreferences | undefined =>
  item &&
  omitUndefined({
    link: toLink(optionalMap(item, 'link')),
    email: toPasscode(optionalMap(item, 'email')),
    sms: toPasscode(optionalMap(item, 'sms')),
    direct: toPasscode(optionalMap(item, 'direct')),
    passkey: optionalMap(item, 'passkey') && {},
    google: toProvider(optionalMap(item, 'google')),
    apple: toProvider(optionalMap(item, 'apple')),
    facebook: toProvider(optionalMap(item, 'facebook')),
    line: toProvider(optionalMap(item, 'line')),
  });
