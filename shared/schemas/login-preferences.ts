import * as v from 'valibot';
import {
  LINK_EXPIRES_MINUTES_MAX,
  MINUTES_MIN,
  PASSCODE_DIGITS_MAX,
  PASSCODE_DIGITS_MIN,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_LOCK_MINUTES_MAX,
  PASSCODE_MAX_TRIES_MAX,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { maxCharacters } from './max-characters.ts';
import { field, integer, resultOf, uri } from './record-fields.ts';

/** The login methods of an application, with their settings. */

const minutes = (max: number) => v.pipe(v.number(), v.minValue(MINUTES_MIN), v.maxValue(max));

const passcodePreference = {
  digits: field(integer(PASSCODE_DIGITS_MIN, PASSCODE_DIGITS_MAX)),
  expires_minutes: field(minutes(PASSCODE_EXPIRES_MINUTES_MAX)),
  max_tries: field(integer(1, PASSCODE_MAX_TRIES_MAX)),
  lock_minutes: field(minutes(PASSCODE_LOCK_MINUTES_MAX)),
};
const linkPreference = {
  expires_minutes: field(minutes(LINK_EXPIRES_MINUTES_MAX)),
  interstitial: field(v.boolean()),
};
const providerPreference = {
  client_id: v.pipe(v.string(), v.minLength(1), maxCharacters(URI_MAX)),
  issuer: field(uri),
  trusted_for_email: field(v.boolean()),
  enabled: field(v.boolean()),
};
/** A method that is absent is off; an empty object has the defaults. */
export const LoginPreferencesBody = v.object({
  link: field(v.object(linkPreference)),
  email: field(v.object(passcodePreference)),
  sms: field(v.object(passcodePreference)),
  direct: field(v.object(passcodePreference)),
  passkey: field(v.object({})),
  google: field(v.object(providerPreference)),
  apple: field(v.object(providerPreference)),
  facebook: field(v.object(providerPreference)),
  line: field(v.object(providerPreference)),
});
export type LoginPreferencesFields = v.InferOutput<typeof LoginPreferencesBody>;
const PasscodePreferenceRecord = v.object({
  digits: v.optional(v.number()),
  expires_minutes: v.optional(v.number()),
  max_tries: v.optional(v.number()),
  lock_minutes: v.optional(v.number()),
});
const ProviderPreferenceRecord = v.object({
  client_id: v.string(),
  issuer: v.optional(v.string()),
  trusted_for_email: v.optional(v.boolean()),
  enabled: v.optional(v.boolean()),
});
export const LoginPreferencesRecord = v.object({
  link: v.optional(
    v.object({ expires_minutes: v.optional(v.number()), interstitial: v.optional(v.boolean()) }),
  ),
  email: v.optional(PasscodePreferenceRecord),
  sms: v.optional(PasscodePreferenceRecord),
  direct: v.optional(PasscodePreferenceRecord),
  passkey: v.optional(v.object({})),
  google: v.optional(ProviderPreferenceRecord),
  apple: v.optional(ProviderPreferenceRecord),
  facebook: v.optional(ProviderPreferenceRecord),
  line: v.optional(ProviderPreferenceRecord),
});
export type LoginPreferencesRecord = v.InferOutput<typeof LoginPreferencesRecord>;
export const LoginPreferencesResponse = resultOf(LoginPreferencesRecord);
