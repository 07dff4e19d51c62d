// The whole of the package reads charsets, encodings and media types, too: 5 KB of each function that shows a page.
import preferredLanguages from 'negotiator/lib/language.js';
import { LANGUAGES, type Language, RIGHT_TO_LEFT } from '../records/languages.ts';

export type { Language };

const DEFAULT_LANGUAGE: Language = 'en';

/** An honest header names a handful. Limits the work for a hostile one. */
const PREFERENCES_MAX = 32;

interface Preferences {
  /** What the person has chosen on a page. */
  readonly chosen?: string | undefined;
  /** Space-separated RFC 5646 tags, most wanted first (OIDC Core §3.1.2.1). */
  readonly uiLocales?: string | undefined;
  /** RFC 9110 §12.5.4. */
  readonly acceptLanguage?: string | undefined;
}

/**
 * What the person has chosen goes before the application's request, and that before the browser's preference. English when
 * no language fits.
 */
export function negotiateLanguage({ chosen, uiLocales, acceptLanguage }: Preferences): Language {
  const asked = [chosen ?? '', ...(uiLocales?.split(/\s+/, PREFERENCES_MAX) ?? [])];
  return [...asked, ...byQuality(acceptLanguage ?? '')].map(known).find(Boolean) ?? DEFAULT_LANGUAGE;
}

/** The country that a phone number probably has, in ISO 3166-1. */
export function probableCountry({ uiLocales, acceptLanguage }: Preferences): string | undefined {
  const asked = uiLocales?.split(/\s+/, PREFERENCES_MAX) ?? [];
  return [...asked, ...byQuality(acceptLanguage ?? '')].map(countryOf).find(Boolean);
}

/** Returns the region of a tag (RFC 5646 §2.2.4), also of a POSIX locale such as `fr_CA`. */
const countryOf = (tag: string): string | undefined =>
  /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?:[-_]|$)/i.exec(tag)?.[1]?.toUpperCase();

/** Returns the user's language if there are texts in it, else the application's, else English. */
export const messageLanguage = (ofUser: string | undefined, ofApplication: Language | undefined): Language =>
  known(ofUser ?? '') ?? ofApplication ?? DEFAULT_LANGUAGE;

function byQuality(acceptLanguage: string): string[] {
  const read = acceptLanguage.split(',', PREFERENCES_MAX).join(',');
  return preferredLanguages(read);
}

/** Looks a tag up by its primary subtag only (RFC 4647 §3.4), also a POSIX locale such as `fr_CA`. */
const known = (tag: string): Language | undefined =>
  readLanguage(tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? '');

export const readLanguage = (text: string): Language | undefined =>
  LANGUAGES.find((language) => language === text);

type Unit = 'second' | 'minute' | 'hour';

/** A new format costs more than the rest of a message. There are eighteen at most. */
const formats = new Map<string, Intl.NumberFormat>();

export const isRightToLeft = (language: Language): boolean => RIGHT_TO_LEFT.includes(language);

/** Digits and Latin words inside plain text of any direction, in isolation (Unicode UAX #9 §2.4.2). */
export const leftToRight = (text: string, language: Language): string =>
  isRightToLeft(language) ? `\u2066${text}\u2069` : text;

/** Attributes of the element `html`. */
export const languageAttributes = (language: Language): string =>
  `lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}`;

/** A duration: "15 minutes", "24 Stunden", "30秒". */
export function durationText(language: Language, minutes: number): string {
  return amountText(language, ...inLargestWholeUnit(minutes));
}

/** A waiting time: "30 seconds", "2 minutes". Rounded up, or a user would try too early. */
export function waitText(language: Language, seconds: number): string {
  if (seconds <= 90) return amountText(language, Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds <= 90 * 60) return amountText(language, Math.ceil(seconds / 60), 'minute');
  return amountText(language, Math.ceil(seconds / 3600), 'hour');
}

function amountText(language: Language, amount: number, unit: Unit): string {
  const text = formatOf(language, unit).format(amount);
  return language === 'ja' ? text.replaceAll(' ', '') : text;
}

function inLargestWholeUnit(minutes: number): [number, Unit] {
  if (minutes < 1) return [Math.max(1, Math.floor(minutes * 60)), 'second'];
  return minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
}

function formatOf(language: Language, unit: Unit): Intl.NumberFormat {
  const key = `${language} ${unit}`;
  let format = formats.get(key);
  if (!format) {
    // The same digits as in codes, in Arabic too.
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
