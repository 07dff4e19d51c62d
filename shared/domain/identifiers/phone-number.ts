import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core/es6';
import { toAsciiDigits } from './decimal-digits.ts';
import { phoneMetadata } from './phone-metadata.ts';

/** Maximum length in characters of a phone number with separators. Legitimate numbers are shorter. */
const TEXT_MAX = 40;
const E164_MAX_DIGITS = 15;

/** Phone number with a plus sign, then digits with separators (spaces, dashes, dots, slashes, parentheses). */
const INTERNATIONAL_FORM = /^[+＋][\p{Nd}\p{Zs}().\-‐-―－/]+$/u;
/** Phone number without a plus sign, with separators. It has at least four digits, like the shortest numbers in use. */
const NATIONAL_FORM = /^(?=(?:\P{Nd}*\p{Nd}){4})[\p{Nd}\p{Zs}().\-‐-―－/]+$/u;

export const isNationalNumber = (text: string): boolean =>
  text.length <= TEXT_MAX && NATIONAL_FORM.test(text.trim());

const countries = () => getCountries(phoneMetadata);

const toCallingCode = (code: CountryCode): string => getCountryCallingCode(code, phoneMetadata);

const parse = (text: string, defaultCountry?: CountryCode) =>
  parsePhoneNumberFromString(
    text,
    { extract: false, ...(defaultCountry && { defaultCountry }) },
    phoneMetadata,
  );

/**
 * Converts a phone number to E.164. A number without a country code is read as a number of the chosen country. An invalid
 * number is returned unchanged.
 */
export function toE164InCountry(text: string, country: string | undefined): string {
  const chosen = countries().find((code) => code === country);
  if (chosen === undefined || !isNationalNumber(text)) return normalisePhoneNumber(text) ?? text;
  const parsed = parse(toAsciiDigits(text.trim()), chosen);
  return (parsed && normalisePhoneNumber(parsed.number)) ?? text;
}

/**
 * Returns the second meaning of an ambiguous number, in E.164: the user may have typed the calling code of the chosen country
 * without a plus sign. In Germany, `4915123456789` is either `+4915123456789` or, with the area code 0491, `+494915123456789`.
 * Returns undefined if the number has only one valid meaning, which `toE164InCountry` returns.
 */
export function findAlternativeNumber(text: string, country: string | undefined): string | undefined {
  const chosen = countries().find((code) => code === country);
  if (chosen === undefined || !isNationalNumber(text)) return undefined;
  const digits = toAsciiDigits(text).replace(/\D/g, '');
  if (!digits.startsWith(toCallingCode(chosen))) return undefined;
  const [national, international] = [digits, `+${digits}`].map((number) => parse(number, chosen));
  if (!national?.isValid() || !international?.isValid()) return undefined;
  return national.number === international.number ? undefined : normalisePhoneNumber(international.number);
}

/**
 * Returns the E.164 form of a phone number, or undefined if it is invalid. Rejects numbers without a country code, which could
 * belong to another person. Checks only whether the length is possible in the country. Assigned number ranges change faster
 * than any library, and a real number must not be rejected.
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
  /** ISO 3166-1 codes of the countries to which SMS may be sent. */
  readonly smsCountries: readonly string[] | 'any';
}

/** Returns true if SMS may be sent to a number. Only the configured countries are allowed, to limit SMS fraud. */
export function mayText({ smsCountries }: SmsCountries, number: string): boolean {
  if (smsCountries === 'any') return true;
  const country = parse(number)?.country;
  return country !== undefined && smsCountries.includes(country);
}

interface PhoneCountry {
  /** ISO 3166-1 country code. */
  readonly code: string;
  /** Country calling code without the plus sign. */
  readonly callingCode: string;
}

const withCode = (code: CountryCode): PhoneCountry => ({ code, callingCode: toCallingCode(code) });

/** Lists the countries to which SMS may be sent. */
export function phoneCountries({ smsCountries }: SmsCountries): readonly PhoneCountry[] {
  const all = countries();
  return (smsCountries === 'any' ? all : all.filter((code) => smsCountries.includes(code))).map(withCode);
}
