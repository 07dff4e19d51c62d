import { type Fields, number, text } from './field.ts';
import { byLanguage } from './languages.ts';

/** Plain texts of an application on its pages, beside those of the service. */
export const brandTextsFields = {
  /** In place of the heading of the first page. */
  title: text,
  subtitle: text,
  /** At the foot of every page: the words of a link, or text where there is none. */
  help: text,
  terms: text,
  privacy: text,
  home: text,
} as const satisfies Fields;

const ofLanguage = { kind: 'record', of: brandTextsFields } as const;
export const textsByLanguageFields = byLanguage(() => ofLanguage);

/** How the hosted pages of an application look beside its name. */
export const brandFields = {
  /** Colours are `#RGB` or `#RRGGBB`. */
  primaryColor: text,
  /** In dark mode; absent: the same. */
  primaryColorDark: text,
  /** Text on the primary colour; absent: black or white, whichever reads better. */
  onPrimaryColor: text,
  onPrimaryColorDark: text,
  /** Around the card; absent: a light and a dark grey. */
  backgroundColor: text,
  backgroundColorDark: text,
  /** In CSS pixels. */
  cornerRadius: number,
  /** A list of fonts that systems have; absent: sans. */
  font: { kind: 'choice', of: ['sans', 'serif', 'rounded', 'humanist', 'mono'] },
  /** Raw base64 of a PNG, JPEG, GIF or WebP. */
  base64logo: text,
  /** `https`, shown while the host is the application's. */
  helpUri: text,
  termsUri: text,
  privacyUri: text,
  texts: { kind: 'record', of: textsByLanguageFields },
} as const satisfies Fields;
