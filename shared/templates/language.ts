// Imports one file of the package. The full package also parses charsets, encodings and media types, and would add 5 KB to each
// function that shows a page.
import preferredLanguages from 'negotiator/lib/language.js';
import { LANGUAGES, type Language, RIGHT_TO_LEFT } from '../records/languages.ts';

export type { Language };

const DEFAULT_LANGUAGE: Language = 'en';

/**
 * Maximum number of language tags that are read. Real headers contain only a few tags, and a hostile header must not cause much
 * work.
 */
const PREFERENCES_MAX = 32;

interface Preferences {
  /** Language that the user chose on a page. */
  readonly chosen?: string | undefined;
  /** Space-separated language tags (RFC 5646) of the parameter `ui_locales`, in order of preference (OIDC Core §3.1.2.1). */
  readonly uiLocales?: string | undefined;
  /** Value of the header `Accept-Language` (RFC 9110 §12.5.4). */
  readonly acceptLanguage?: string | undefined;
}

/**
 * Selects the language of a page: first the user's choice, then the application's `ui_locales`, then the browser's preferences.
 * Returns English if no supported language matches.
 */
export function negotiateLanguage({ chosen, uiLocales, acceptLanguage }: Preferences): Language {
  const asked = [chosen ?? '', ...(uiLocales?.split(/\s+/, PREFERENCES_MAX) ?? [])];
  return [...asked, ...byQuality(acceptLanguage ?? '')].map(known).find(Boolean) ?? DEFAULT_LANGUAGE;
}

/**
 * Guesses the country of a user's phone number from the languages that the browser prefers.
 * @returns an ISO 3166-1 code
 */
export function probableCountry({ uiLocales, acceptLanguage }: Preferences): string | undefined {
  const asked = uiLocales?.split(/\s+/, PREFERENCES_MAX) ?? [];
  return [...asked, ...byQuality(acceptLanguage ?? '')].map(readCountry).find(Boolean);
}

/** Returns the region of a language tag (RFC 5646 §2.2.4). Also accepts POSIX locales such as `fr_CA`. */
const readCountry = (tag: string): string | undefined =>
  /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?:[-_]|$)/i.exec(tag)?.[1]?.toUpperCase();

/** Returns the user's language if it is supported, otherwise the application's language, otherwise English. */
export const messageLanguage = (ofUser: string | undefined, ofApplication: Language | undefined): Language =>
  known(ofUser ?? '') ?? ofApplication ?? DEFAULT_LANGUAGE;

function byQuality(acceptLanguage: string): string[] {
  const read = acceptLanguage.split(',', PREFERENCES_MAX).join(',');
  return preferredLanguages(read);
}

/**
 * Finds the supported language for a language tag. Compares only the primary subtag (RFC 4647 §3.4). Also accepts POSIX locales
 * such as `fr_CA`.
 */
const known = (tag: string): Language | undefined =>
  readLanguage(tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? '');

export const readLanguage = (text: string): Language | undefined =>
  LANGUAGES.find((language) => language === text);

type Unit = 'second' | 'minute' | 'hour';

/** Cache of number formats, at most eighteen. Creating a format takes longer than composing the rest of a message. */
const formats = new Map<string, Intl.NumberFormat>();

export const isRightToLeft = (language: Language): boolean => RIGHT_TO_LEFT.includes(language);

/**
 * Isolates left-to-right text, such as digits or Latin words, in a text of a right-to-left language (Unicode UAX #9 §2.4.2), so
 * that it keeps its order.
 */
export const leftToRight = (text: string, language: Language): string =>
  isRightToLeft(language) ? `\u2066${text}\u2069` : text;

/** Returns the attributes `lang` and, for a right-to-left language, `dir` of the element `html`. */
export const languageAttributes = (language: Language): string =>
  `lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}`;

/** Formats a duration in its largest whole unit, such as "15 minutes", "24 Stunden" or "30秒". */
export function durationText(language: Language, minutes: number): string {
  return amountText(language, ...inLargestWholeUnit(minutes));
}

/** Formats a waiting time such as "30 seconds" or "2 minutes", rounded up so that users do not try again too early. */
export function formatWaitingTime(language: Language, seconds: number): string {
  if (seconds <= 90) return amountText(language, Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds <= 90 * 60) return amountText(language, Math.ceil(seconds / 60), 'minute');
  return amountText(language, Math.ceil(seconds / 3600), 'hour');
}

function amountText(language: Language, amount: number, unit: Unit): string {
  const text = findNumberFormat(language, unit).format(amount);
  return language === 'ja' ? text.replaceAll(' ', '') : text;
}

function inLargestWholeUnit(minutes: number): [number, Unit] {
  if (minutes < 1) return [Math.max(1, Math.floor(minutes * 60)), 'second'];
  return minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
}

function findNumberFormat(language: Language, unit: Unit): Intl.NumberFormat {
  const key = `${language} ${unit}`;
  let format = formats.get(key);
  if (!format) {
    // Latin digits in every language, including Arabic, because codes use them.
    format = new Intl.NumberFormat(`${language}-u-nu-latn`, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: 1,
    });
    formats.set(key, format);
  }
  return format;
}
