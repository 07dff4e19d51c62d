import * as v from 'valibot';
import {
  BRAND_TEXT_MAX,
  BRAND_TITLE_MAX,
  CORNER_RADIUS_MAX,
  LOGO_BASE64_MAX,
} from '../domain/basis/limits.ts';
import { brandFields, brandTextsFields, textsByLanguageFields } from '../records/brand.ts';
import { byLanguage } from '../records/languages.ts';
import { describe } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { createSchemas } from './fields/of-record.ts';
import { integer, textUpTo, uri } from './fields/record.ts';

// Schemas of the appearance of an application's pages and mails.

const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const linkWords = (of: string, name: string) =>
  describe(
    `URL of ${of}: \`https\` on a host of the redirect URIs before the change or one that an operator has confirmed.`,
    `https://shop.example.com/${name}`,
  );

export const colour = v.pipe(v.string(), v.regex(HEX_COLOUR));
const brandText = textUpTo(BRAND_TEXT_MAX);
const label = describe(
  `Words of the link at the foot of pages, or a text if there is no link. At most ${BRAND_TEXT_MAX} characters.`,
  'Terms of Shop',
);

const texts = createSchemas(
  brandTextsFields,
  {
    title: [
      textUpTo(BRAND_TITLE_MAX),
      describe(`Own heading of the first page. At most ${BRAND_TITLE_MAX} characters.`, 'Welcome to Shop'),
    ],
    subtitle: [
      brandText,
      describe(
        `Text below the title. At most ${BRAND_TEXT_MAX} characters.`,
        'Orders, invoices and returns.',
      ),
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
  describe('Texts of one language. Absent texts have a default of the service or are not shown.'),
] as const;
const inLanguages = createSchemas(
  textsByLanguageFields,
  byLanguage(() => ofLanguage),
  'whole',
);

export const brand = createSchemas(
  brandFields,
  {
    primaryColor: [colour, describe('Colour of buttons, as `#RGB` or `#RRGGBB`.', '#0a5c36')],
    primaryColorDark: [
      colour,
      describe('Colour of buttons in dark mode (default: the same colour).', '#7bd3a8'),
    ],
    onPrimaryColor: [
      colour,
      describe(
        'Colour of text on `primary_color`, with a contrast of at least 4.5 to 1 (default: black or white).',
        '#ffffff',
      ),
    ],
    onPrimaryColorDark: [
      colour,
      describe(
        'Colour of text on `primary_color_dark`, with a contrast of at least 4.5 to 1 (default: black or white).',
        '#000000',
      ),
    ],
    backgroundColor: [colour, describe('Colour around the card (default: a light grey).', '#f4f1ea')],
    backgroundColorDark: [
      colour,
      describe('Colour around the card in dark mode (default: a dark grey).', '#101512'),
    ],
    cornerRadius: [
      integer(0, CORNER_RADIUS_MAX),
      describe(`Radius of corners in CSS pixels, 0 to ${CORNER_RADIUS_MAX} (default: 10).`, 4),
    ],
    font: describe('Font family of the operating system; nothing is downloaded (default: sans).', 'humanist'),
    base64logo: [
      v.pipe(v.string(), maxCharacters(LOGO_BASE64_MAX)),
      describe(
        `Logo as raw base64 of a PNG, JPEG, GIF or WebP, without \`data:\`. At most ${LOGO_BASE64_MAX} characters.`,
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      ),
    ],
    helpUri: [uri, linkWords('a page with help', 'help')],
    termsUri: [uri, linkWords('the terms', 'terms')],
    privacyUri: [uri, linkWords('the privacy notice', 'privacy')],
    texts: [inLanguages, describe('Additional texts on the pages by language, as plain text.')],
  },
  'whole',
);
