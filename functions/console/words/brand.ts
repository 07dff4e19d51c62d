import type { brandFields, brandTextsFields, textsByLanguageFields } from '../../../shared/records/brand.ts';
import type { WordsOf } from './words.ts';

const textsWords: WordsOf<typeof brandTextsFields> = {
  title: { label: 'Heading of the first page' },
  subtitle: { label: 'Text below the heading' },
  help: { label: 'Words of the help link', help: 'Without an address above, this is shown as text.' },
  terms: { label: 'Words of the link to the terms' },
  privacy: { label: 'Words of the link to the privacy notice' },
  home: { label: 'Words of the link to the home page' },
};

const textsByLanguageWords: WordsOf<typeof textsByLanguageFields> = {
  en: { label: 'English', inner: textsWords },
  es: { label: 'Spanish', inner: textsWords },
  fr: { label: 'French', inner: textsWords },
  de: { label: 'German', inner: textsWords },
  ja: { label: 'Japanese', inner: textsWords },
  ar: { label: 'Arabic', inner: textsWords },
};

const linkHelp = 'Its host must be one of the addresses after a login, or one that was confirmed.';

/** Labels and help texts of the settings for the appearance of an application's hosted pages. */
export const brandWords: WordsOf<typeof brandFields> = {
  primary_color: { label: 'Colour of buttons', textColour: 'on_primary_color' },
  primary_color_dark: { label: 'Colour of buttons in dark mode', textColour: 'on_primary_color_dark' },
  background_color: { label: 'Background' },
  background_color_dark: { label: 'Background in dark mode' },
  corner_radius: { label: 'Rounding of corners (pixels)' },
  font: {
    label: 'Font',
    help: 'A font of the device: nothing is downloaded.',
    choices: {
      sans: 'Sans-serif',
      serif: 'Serif',
      rounded: 'Rounded',
      humanist: 'Humanist',
      mono: 'Monospace',
    },
  },
  base64logo: {
    label: 'Logo',
    help: 'A PNG, JPEG, GIF or WebP image as base64 text, without a prefix. Without a logo, pages show the name.',
  },
  help_uri: { label: 'Address of the help page', help: linkHelp },
  terms_uri: { label: 'Address of the terms', help: linkHelp },
  privacy_uri: { label: 'Address of the privacy notice', help: linkHelp },
  on_primary_color: {
    label: 'Colour of text on buttons',
    help: 'If it is empty, black or white, whichever is easier to read.',
    advanced: true,
  },
  on_primary_color_dark: { label: 'Colour of text on buttons in dark mode', advanced: true },
  texts: { label: 'Own words on the pages', inner: textsByLanguageWords },
};
