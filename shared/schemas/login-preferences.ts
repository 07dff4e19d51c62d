import * as v from 'valibot';
import {
  LINK_EXPIRES_MINUTES,
  LINK_EXPIRES_MINUTES_MAX,
  MINUTES_MIN,
  PASSCODE_DIGITS,
  PASSCODE_DIGITS_MAX,
  PASSCODE_DIGITS_MIN,
  PASSCODE_EXPIRES_MINUTES,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_LOCK_MINUTES,
  PASSCODE_LOCK_MINUTES_MAX,
  PASSCODE_MAX_TRIES,
  PASSCODE_MAX_TRIES_MAX,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { described, doc, sample } from './fields/described.ts';
import { field, integer, resultOf, shown, uri } from './fields/record.ts';

/** The login methods of an application, with their settings. */

const minutes = (max: number) => v.pipe(v.number(), v.minValue(MINUTES_MIN), v.maxValue(max));

const digits = doc(
  `Digits of a passcode, ${PASSCODE_DIGITS_MIN} to ${PASSCODE_DIGITS_MAX} (default: ${PASSCODE_DIGITS}).`,
  PASSCODE_DIGITS,
);
const passcodeMinutes = doc(
  `Lifetime of a passcode in minutes, at most ${PASSCODE_EXPIRES_MINUTES_MAX} (default: ${PASSCODE_EXPIRES_MINUTES}). A send may say otherwise by \`expires_in\`.`,
  PASSCODE_EXPIRES_MINUTES,
);
const maxTries = doc(
  `Wrong codes until the lock, 1 to ${PASSCODE_MAX_TRIES_MAX} (default: ${PASSCODE_MAX_TRIES}).`,
  PASSCODE_MAX_TRIES,
);
const lockMinutes = doc(
  `Length of the lock in minutes, at most ${PASSCODE_LOCK_MINUTES_MAX} (default: ${PASSCODE_LOCK_MINUTES}).`,
  PASSCODE_LOCK_MINUTES,
);
const passcodePreference = v.object({
  digits: field(integer(PASSCODE_DIGITS_MIN, PASSCODE_DIGITS_MAX), digits),
  expires_minutes: field(minutes(PASSCODE_EXPIRES_MINUTES_MAX), passcodeMinutes),
  max_tries: field(integer(1, PASSCODE_MAX_TRIES_MAX), maxTries),
  lock_minutes: field(minutes(PASSCODE_LOCK_MINUTES_MAX), lockMinutes),
});
const passcodePreferenceRecord = v.object({
  digits: shown(v.number(), digits),
  expires_minutes: shown(v.number(), passcodeMinutes),
  max_tries: shown(v.number(), maxTries),
  lock_minutes: shown(v.number(), lockMinutes),
});

const linkMinutes = doc(
  `Lifetime of a magic link in minutes, at most ${LINK_EXPIRES_MINUTES_MAX} (default: ${LINK_EXPIRES_MINUTES}). A send may say otherwise by \`email_expiration\`.`,
  LINK_EXPIRES_MINUTES,
);
const interstitial = doc(
  'Whether a link opens a page with one button first (default: false). It helps where mail scanners must not visit the redirect URI.',
  false,
);
const linkPreference = v.object({
  expires_minutes: field(minutes(LINK_EXPIRES_MINUTES_MAX), linkMinutes),
  interstitial: field(v.boolean(), interstitial),
});
const linkPreferenceRecord = v.object({
  expires_minutes: shown(v.number(), linkMinutes),
  interstitial: shown(v.boolean(), interstitial),
});

const providerClientId = doc(
  `Client ID that the provider has given the application, at most ${URI_MAX} characters.`,
  '407408718192.apps.googleusercontent.com',
);
const issuer = doc(
  `Issuer of another OpenID provider to use in its place (default: the provider's own). A public \`https\` address without query and fragment, at most ${URI_MAX} characters.`,
  'https://id.example.com',
);
const trustedForEmail = doc(
  'Whether addresses that it says to be verified count as proven (default: true for Google and Apple without an `issuer`, else false).',
  true,
);
const providerEnabled = doc(
  'Whether users may log in by it (default: true). False keeps the settings.',
  true,
);
const providerPreference = v.object({
  client_id: described(uri, providerClientId),
  issuer: field(uri, issuer),
  trusted_for_email: field(v.boolean(), trustedForEmail),
  enabled: field(v.boolean(), providerEnabled),
});
const providerPreferenceRecord = v.object({
  client_id: described(v.string(), providerClientId),
  issuer: shown(v.string(), issuer),
  trusted_for_email: shown(v.boolean(), trustedForEmail),
  enabled: shown(v.boolean(), providerEnabled),
});

const link = doc('Magic links by email. Absent: off.');
const email = doc('Passcodes by email. Absent: off.');
const sms = doc('Passcodes by text message. Absent: off.');
const direct = doc('Passcodes in the answer to the backend that asks for them. Absent: off.');
const passkey = doc(
  'Passkeys on the hosted pages: an empty object, for there is nothing to set. Absent: off.',
  {},
);
const google = doc('Login at Google. Absent: off.');
const apple = doc('Login at Apple. Absent: off.');
const facebook = doc('Login at Facebook. Absent: off.');
const line = doc('Login at LINE. Absent: off.');

/** A method that is absent is off; an empty object has the defaults. */
export const LoginPreferencesBody = described(
  v.object({
    link: field(linkPreference, link),
    email: field(passcodePreference, email),
    sms: field(passcodePreference, sms),
    direct: field(passcodePreference, direct),
    passkey: field(v.object({}), passkey),
    google: field(providerPreference, google),
    apple: field(providerPreference, apple),
    facebook: field(providerPreference, facebook),
    line: field(providerPreference, line),
  }),
  sample('link', 'email', 'passkey'),
);
export type LoginPreferencesFields = v.InferOutput<typeof LoginPreferencesBody>;
export const LoginPreferencesRecord = described(
  v.object({
    link: shown(linkPreferenceRecord, link),
    email: shown(passcodePreferenceRecord, email),
    sms: shown(passcodePreferenceRecord, sms),
    direct: shown(passcodePreferenceRecord, direct),
    passkey: shown(v.object({}), passkey),
    google: shown(providerPreferenceRecord, google),
    apple: shown(providerPreferenceRecord, apple),
    facebook: shown(providerPreferenceRecord, facebook),
    line: shown(providerPreferenceRecord, line),
  }),
  doc('The login methods of an application.'),
);
export type LoginPreferencesRecord = v.InferOutput<typeof LoginPreferencesRecord>;
export const LoginPreferencesResponse = resultOf(LoginPreferencesRecord);
