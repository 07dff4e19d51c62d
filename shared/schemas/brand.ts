import * as v from 'valibot';
import {
  BRAND_TEXT_MAX,
  BRAND_TITLE_MAX,
  CORNER_RADIUS_MAX,
  LOGO_BASE64_MAX,
} from '../domain/basis/limits.ts';
import { byLanguage } from '../ports/languages.ts';
import { doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { integer, shown, textUpTo, uri } from './fields/record.ts';

/** How pages and mails of an application look. */

const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const FONTS = ['sans', 'serif', 'rounded', 'humanist', 'mono'] as const;

const linkWords = (of: string, name: string) =>
  doc(
    `Address of ${of}: \`https\` on a host that the redirect URIs had before the change, or that an operator has confirmed.`,
    `https://shop.example.com/${name}`,
  );

const words = {
  primary: doc('Colour of buttons, as `#RGB` or `#RRGGBB`.', '#0a5c36'),
  primaryDark: doc('The same in dark mode (default: the same colour).', '#7bd3a8'),
  onPrimary: doc(
    'Text on `primary_color`, with a contrast of 4.5 to 1 at least (default: black or white).',
    '#ffffff',
  ),
  onPrimaryDark: doc('Text on `primary_color_dark`, by the same rule.', '#000000'),
  background: doc('Ground around the card (default: a light grey).', '#f4f1ea'),
  backgroundDark: doc('The same in dark mode (default: a dark grey).', '#101512'),
  radius: doc(`Radius of corners in CSS pixels, 0 to ${CORNER_RADIUS_MAX} (default: 10).`, 4),
  font: doc('Fonts that systems have, nothing is loaded (default: sans).', 'humanist'),
  logo: doc(
    `Logo as raw base64 of a PNG, JPEG, GIF or WebP, without \`data:\`. At most ${LOGO_BASE64_MAX} characters.`,
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  help: linkWords('a page with help', 'help'),
  terms: linkWords('the terms', 'terms'),
  privacy: linkWords('the privacy notice', 'privacy'),
  texts: doc('Own texts on the pages, by language. They stand beside those of the service, as plain text.'),
  language: doc('Texts of one language. What is absent has the words of the service, or is not there.'),
  title: doc(
    `In place of the heading of the first page. At most ${BRAND_TITLE_MAX} characters.`,
    'Welcome to Shop',
  ),
  subtitle: doc(`Below it. At most ${BRAND_TEXT_MAX} characters.`, 'Orders, invoices and returns.'),
  label: doc(
    `At the foot of pages: the words of the link, or a text where there is no link. At most ${BRAND_TEXT_MAX} characters.`,
    'Terms of Shop',
  ),
};

const colour = v.pipe(v.string(), v.regex(HEX_COLOUR));
const brandText = textUpTo(BRAND_TEXT_MAX);

const textsBody = v.object({
  title: shown(textUpTo(BRAND_TITLE_MAX), words.title),
  subtitle: shown(brandText, words.subtitle),
  help: shown(brandText, words.label),
  terms: shown(brandText, words.label),
  privacy: shown(brandText, words.label),
  home: shown(brandText, words.label),
});
const textsRecord = v.object({
  title: shown(v.string(), words.title),
  subtitle: shown(v.string(), words.subtitle),
  help: shown(v.string(), words.label),
  terms: shown(v.string(), words.label),
  privacy: shown(v.string(), words.label),
  home: shown(v.string(), words.label),
});

const inLanguages = <const Schema extends v.GenericSchema>(schema: Schema) => {
  const one = shown(schema, words.language);
  return v.object(byLanguage(() => one));
};

export const brandBody = v.object({
  primary_color: shown(colour, words.primary),
  primary_color_dark: shown(colour, words.primaryDark),
  on_primary_color: shown(colour, words.onPrimary),
  on_primary_color_dark: shown(colour, words.onPrimaryDark),
  background_color: shown(colour, words.background),
  background_color_dark: shown(colour, words.backgroundDark),
  corner_radius: shown(integer(0, CORNER_RADIUS_MAX), words.radius),
  font: shown(v.picklist(FONTS), words.font),
  base64logo: shown(v.pipe(v.string(), maxCharacters(LOGO_BASE64_MAX)), words.logo),
  help_uri: shown(uri, words.help),
  terms_uri: shown(uri, words.terms),
  privacy_uri: shown(uri, words.privacy),
  texts: shown(inLanguages(textsBody), words.texts),
});

export const brandRecord = v.object({
  primary_color: shown(v.string(), words.primary),
  primary_color_dark: shown(v.string(), words.primaryDark),
  on_primary_color: shown(v.string(), words.onPrimary),
  on_primary_color_dark: shown(v.string(), words.onPrimaryDark),
  background_color: shown(v.string(), words.background),
  background_color_dark: shown(v.string(), words.backgroundDark),
  corner_radius: shown(v.number(), words.radius),
  font: shown(v.picklist(FONTS), words.font),
  base64logo: shown(v.string(), words.logo),
  help_uri: shown(v.string(), words.help),
  terms_uri: shown(v.string(), words.terms),
  privacy_uri: shown(v.string(), words.privacy),
  texts: shown(inLanguages(textsRecord), words.texts),
});
