import type { Language } from './language.ts';
import { deviceText } from './texts/all.ts';
import { fill } from './texts/fill.ts';

/** Browsers in the order of matching. Each browser's user agent also contains names that come later in this list. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYa(?:Browser|SearchBrowser)\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: typeof BROWSERS, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * Returns a device name such as "Firefox on Windows" for a user agent, or undefined if neither browser nor system is
 * recognised. The name consists only of fixed words, because an attacker can choose the user agent and could otherwise send
 * text to the user. The usual libraries copy words of an unknown user agent, so no library is used here.
 */
export function deviceName(language: Language, userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const [browser, system] = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)];
  return browser && system ? fill(deviceText[language], { browser, system }) : (browser ?? system);
}
