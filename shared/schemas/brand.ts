import * as v from 'valibot';
import {
  BRAND_TEXT_MAX,
  BRAND_TITLE_MAX,
  CORNER_RADIUS_MAX,
  LOGO_BASE64_MAX,
} from '../domain/basis/limits.ts';
import { brandFields, brandTextsFields, textsByLanguageFields } from '../records/brand.ts';
import { byLanguage } from '../records/languages.ts';
import { doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { schemasOf } from './fields/of-record.ts';
import { integer, textUpTo, uri } from './fields/record.ts';

/** How pages and mails of an application look. */

const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const linkWords = (of: string, name: string) =>
  doc(
    `Address of ${of}: \`https\` on a host that the redirect URIs had before the change, or that an operator has confirmed.`,
    `https://shop.example.com/${name}`,
  );

const colour = v.pipe(v.string(), v.regex(HEX_COLOUR));
const brandText = textUpTo(BRAND_TEXT_MAX);
const label = doc(
  `At the foot of pages: the words of the link, or a text where there is no link. At most ${BRAND_TEXT_MAX} characters.`,
  'Terms of Shop',
);

const texts = schemasOf(
  brandTextsFields,
  {
    title: [
      textUpTo(BRAND_TITLE_MAX),
      doc(
        `In place of the heading of the first page. At most ${BRAND_TITLE_MAX} characters.`,
        'Welcome to Shop',
      ),
    ],
    subtitle: [
      brandText,
      doc(`Below it. At most ${BRAND_TEXT_MAX} characters.`, 'Orders, invoices and returns.'),
    ],
    help: [brandText, label],
    terms: [brandText, label],
    privacy: [brandText, label],
    home: [brandText, label],
  },
  'whole',
);
const ofLanguage = [
  texts,
  doc('Texts of one language. What is absent has the words of the service, or is not there.'),
] as const;
const inLanguages = schemasOf(
  textsByLanguageFields,
  byLanguage(() => ofLanguage),
  'whole',
);

export const brand = schemasOf(
  brandFields,
  {
    primaryColor: [colour, doc('Colour of buttons, as `#RGB` or `#RRGGBB`.', '#0a5c36')],
    primaryColorDark: [colour, doc('The same in dark mode (default: the same colour).', '#7bd3a8')],
    onPrimaryColor: [
      colour,
      doc(
        'Text on `primary_color`, with a contrast of 4.5 to 1 at least (default: black or white).',
        '#ffffff',
      ),
    ],
    onPrimaryColorDark: [colour, doc('Text on `primary_color_dark`, by the same rule.', '#000000')],
    backgroundColor: [colour, doc('Ground around the card (default: a light grey).', '#f4f1ea')],
    backgroundColorDark: [colour, doc('The same in dark mode (default: a dark grey).', '#101512')],
    cornerRadius: [
      integer(0, CORNER_RADIUS_MAX),
      doc(`Radius of corners in CSS pixels, 0 to ${CORNER_RADIUS_MAX} (default: 10).`, 4),
    ],
    font: doc('Fonts that systems have, nothing is loaded (default: sans).', 'humanist'),
    base64logo: [
      v.pipe(v.string(), maxCharacters(LOGO_BASE64_MAX)),
      doc(
        `Logo as raw base64 of a PNG, JPEG, GIF or WebP, without \`data:\`. At most ${LOGO_BASE64_MAX} characters.`,
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      ),
    ],
    helpUri: [uri, linkWords('a page with help', 'help')],
    termsUri: [uri, linkWords('the terms', 'terms')],
    privacyUri: [uri, linkWords('the privacy notice', 'privacy')],
    texts: [
      inLanguages,
      doc('Own texts on the pages, by language. They stand beside those of the service, as plain text.'),
    ],
  },
  'whole',
);
