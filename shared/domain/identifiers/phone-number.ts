import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core/es6';
import { toAsciiDigits } from './decimal-digits.ts';
import { phoneMetadata } from './phone-metadata.ts';

/** E.164: at most 15 digits. With separators, no honest number is longer than this. */
const TEXT_MAX = 40;
const E164_MAX_DIGITS = 15;

/** A plus sign, then digits with the separators people type: spaces, dashes, dots, slashes, parentheses. */
const INTERNATIONAL_FORM = /^[+＋][\p{Nd}\p{Zs}().\-‐-―－/]+$/u;
/** A number without a plus sign, with the separators people type; four digits at least, as the shortest numbers in use. */
const NATIONAL_FORM = /^(?=(?:\P{Nd}*\p{Nd}){4})[\p{Nd}\p{Zs}().\-‐-―－/]+$/u;

export const isNationalNumber = (text: string): boolean =>
  text.length <= TEXT_MAX && NATIONAL_FORM.test(text.trim());

const countries = () => getCountries(phoneMetadata);

const callingCodeOf = (code: CountryCode): string => getCountryCallingCode(code, phoneMetadata);

const parse = (text: string, defaultCountry?: CountryCode) =>
  parsePhoneNumberFromString(
    text,
    { extract: false, ...(defaultCountry && { defaultCountry }) },
    phoneMetadata,
  );

/** A number in E.164, with the country that a person chose for it where it has no plus sign; as it is if it is none. */
export function inCountry(text: string, country: string | undefined): string {
  const chosen = countries().find((code) => code === country);
  if (chosen === undefined || !isNationalNumber(text)) return normalisePhoneNumber(text) ?? text;
  const parsed = parse(toAsciiDigits(text.trim()), chosen);
  return (parsed && normalisePhoneNumber(parsed.number)) ?? text;
}

/**
 * Returns the number in E.164 that a person may mean who has typed the calling code of the chosen country without a plus sign. In
 * Germany `4915123456789` is either `+4915123456789` or, with the area code 0491, `+494915123456789`. Undefined if there is one
 * valid reading, which `inCountry` takes.
 */
export function readingWithPlus(text: string, country: string | undefined): string | undefined {
  const chosen = countries().find((code) => code === country);
  if (chosen === undefined || !isNationalNumber(text)) return undefined;
  const digits = toAsciiDigits(text).replace(/\D/g, '');
  if (!digits.startsWith(callingCodeOf(chosen))) return undefined;
  const [national, international] = [digits, `+${digits}`].map((number) => parse(number, chosen));
  if (!national?.isValid() || !international?.isValid()) return undefined;
  return national.number === international.number ? undefined : normalisePhoneNumber(international.number);
}

/**
 * The E.164 form of a phone number, or undefined. A national number is refused: without its country it could reach a
 * stranger. Numbers are checked by the length that their country allows, not by its assigned ranges: ranges change
 * faster than any library, and a new customer's real number must not be refused.
 */
export function normalisePhoneNumber(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const trimmed = text.trim();
  if (!INTERNATIONAL_FORM.test(trimmed)) return undefined;
  const parsed = parse(toAsciiDigits(trimmed));
  if (!parsed?.isPossible() || parsed.ext !== undefined) return undefined;
  return parsed.number.length <= E164_MAX_DIGITS + 1 ? parsed.number : undefined;
}

export interface SmsCountries {
  /** ISO 3166-1 codes. */
  readonly smsCountries: readonly string[] | 'any';
}

/** SMS go to the countries of the environment only: SMS fraud pays in others. */
export function mayText({ smsCountries }: SmsCountries, number: string): boolean {
  if (smsCountries === 'any') return true;
  const country = parse(number)?.country;
  return country !== undefined && smsCountries.includes(country);
}

interface PhoneCountry {
  /** ISO 3166-1. */
  readonly code: string;
  /** Without the plus sign. */
  readonly callingCode: string;
}

const withCode = (code: CountryCode): PhoneCountry => ({ code, callingCode: callingCodeOf(code) });

/** The countries that text messages may go to. */
export function phoneCountries({ smsCountries }: SmsCountries): readonly PhoneCountry[] {
  const all = countries();
  return (smsCountries === 'any' ? all : all.filter((code) => smsCountries.includes(code))).map(withCode);
}
