import { type Fields, number, text } from './field.ts';
import { byLanguage } from './languages.ts';

/** Texts of an application on its hosted pages, without markup, in addition to those of the service. */
export const brandTextsFields = {
  /** Heading of the first page, in place of the default. */
  title: text,
  subtitle: text,
  /** Words of the help link at the foot of every page, or plain text if there is no link. */
  help: text,
  terms: text,
  privacy: text,
  home: text,
} as const satisfies Fields;

const ofLanguage = { kind: 'record', of: brandTextsFields } as const;
export const textsByLanguageFields = byLanguage(() => ofLanguage);

/** Appearance of an application's hosted pages, in addition to its name. */
export const brandFields = {
  /** Primary colour, as `#RGB` or `#RRGGBB`. */
  primaryColor: text,
  /** Primary colour in dark mode. Absent: the same as in light mode. */
  primaryColorDark: text,
  /** Colour of text on the primary colour. Absent: black or white, whichever has more contrast. */
  onPrimaryColor: text,
  onPrimaryColorDark: text,
  /** Colour around the card. Absent: a light and a dark grey. */
  backgroundColor: text,
  backgroundColorDark: text,
  /** Radius of corners in CSS pixels. */
  cornerRadius: number,
  /** Font family that operating systems include. Absent: sans. */
  font: { kind: 'choice', of: ['sans', 'serif', 'rounded', 'humanist', 'mono'] },
  /** Logo as base64 of a PNG, JPEG, GIF or WebP, without a `data:` prefix. */
  base64logo: text,
  /** URL of the help page (`https`), shown only while its host is confirmed as the application's. */
  helpUri: text,
  termsUri: text,
  privacyUri: text,
  texts: { kind: 'record', of: textsByLanguageFields },
} as const satisfies Fields;
