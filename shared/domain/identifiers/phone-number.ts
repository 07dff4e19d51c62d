import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** E.164: at most 15 digits. With separators, no honest number is longer than this. */
const TEXT_MAX = 40;
const E164_MAX_DIGITS = 15;

/** A plus sign, then digits with the separators people type: spaces, dashes, dots, slashes, parentheses. */
const INTERNATIONAL_FORM = /^[+＋][\p{Nd}\p{Zs}().\-‐-―－/]+$/u;

/**
 * The E.164 form of a phone number, or undefined. A national number is refused: without its country it could reach a
 * stranger. Numbers are checked by the length that their country allows, not by its assigned ranges: ranges change
 * faster than any library, and a new customer's real number must not be refused.
 */
export function normalisePhoneNumber(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const trimmed = text.trim();
  if (!INTERNATIONAL_FORM.test(trimmed)) return undefined;
  const parsed = parsePhoneNumberFromString(trimmed.normalize('NFKC'), { extract: false });
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
  const country = parsePhoneNumberFromString(number)?.country;
  return country !== undefined && smsCountries.includes(country);
}
