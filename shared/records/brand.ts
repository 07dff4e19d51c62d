import { type Fields, number, text } from './field.ts';
import { byLanguage } from './languages.ts';

/** Texts of an application on its hosted pages, as plain text. They are shown in addition to the service's own texts. */
export const brandTextsFields = {
  /** Heading of the first page. It replaces the default heading. */
  title: text,
  subtitle: text,
  /** Text of the help link at the foot of every page. Without a link, it is shown as plain text. */
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
  /** Primary colour in dark mode. Undefined means the colour of light mode. */
  primaryColorDark: text,
  /** Colour of text on the primary colour. If undefined, black or white is used, depending on the contrast. */
  onPrimaryColor: text,
  onPrimaryColorDark: text,
  /** Colour of the page around the card. If undefined, light grey, or dark grey in dark mode. */
  backgroundColor: text,
  backgroundColorDark: text,
  /** Radius of corners in CSS pixels. */
  cornerRadius: number,
  /** Font family, chosen from fonts that operating systems include. Undefined means sans. */
  font: { kind: 'choice', of: ['sans', 'serif', 'rounded', 'humanist', 'mono'] },
  /** Logo as base64 of a PNG, JPEG, GIF or WebP, without a `data:` prefix. */
  base64logo: text,
  /** `https` URL of the help page. The link is shown only while the host is confirmed as belonging to the application. */
  helpUri: text,
  termsUri: text,
  privacyUri: text,
  texts: { kind: 'record', of: textsByLanguageFields },
} as const satisfies Fields;
