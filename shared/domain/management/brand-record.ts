import { invalidInput } from '../../errors/service-error.ts';
import type { ApplicationBrand, BrandTexts } from '../../ports/directory.ts';
import type { Language } from '../../ports/languages.ts';
import type { ApplicationFields, ApplicationRecord } from '../../schemas/applications.ts';
import { contrast, DEFAULT_COLOUR, hexColour } from '../basis/colour.ts';
import { allFields, omitUndefined } from '../basis/omit-undefined.ts';
import { requireLogo } from '../sending/email-content.ts';
import { readOwnLink } from './brand-links.ts';

type BrandRecord = NonNullable<ApplicationRecord['brand']>;
type BrandFields = NonNullable<ApplicationFields['brand']>;

export function brandRecord(brand: ApplicationBrand): BrandRecord {
  return allFields<BrandRecord>({
    primary_color: brand.primaryColor,
    primary_color_dark: brand.primaryColorDark,
    on_primary_color: brand.onPrimaryColor,
    on_primary_color_dark: brand.onPrimaryColorDark,
    background_color: brand.backgroundColor,
    background_color_dark: brand.backgroundColorDark,
    corner_radius: brand.cornerRadius,
    font: brand.font,
    base64logo: brand.base64logo,
    help_uri: brand.helpUri,
    terms_uri: brand.termsUri,
    privacy_uri: brand.privacyUri,
    texts: brand.texts,
  });
}

/** WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5;

function requireReadable(field: string, text: string | undefined, ground: string): void {
  if (text === undefined) return;
  const ratio = contrast(hexColour(text), ground);
  if (ratio < TEXT_CONTRAST)
    throw invalidInput(
      `brand.${field}: ${text} on ${ground} has a contrast of ${ratio.toFixed(1)} to 1, and needs ${TEXT_CONTRAST}`,
    );
}

/** Without a colour for the dark, the one for the light is the ground there too. */
function requireReadableColours(given: BrandFields): void {
  const ground = given.primary_color ?? DEFAULT_COLOUR;
  requireReadable('on_primary_color', given.on_primary_color, hexColour(ground));
  if (given.on_primary_color !== undefined && given.primary_color === undefined)
    throw invalidInput('brand.on_primary_color: needs primary_color');
  if (given.on_primary_color_dark === undefined) return;
  if (given.primary_color_dark === undefined)
    throw invalidInput('brand.on_primary_color_dark: needs primary_color_dark');
  requireReadable('on_primary_color_dark', given.on_primary_color_dark, hexColour(given.primary_color_dark));
}

const readTexts = (texts: NonNullable<BrandFields['texts']>) =>
  omitUndefined<Partial<Record<Language, BrandTexts>>>(
    Object.fromEntries(
      Object.entries(texts).map(([language, given]) => [language, given && allTexts(given)]),
    ),
  );

const allTexts = (given: NonNullable<NonNullable<BrandFields['texts']>['en']>) =>
  allFields<BrandTexts>({
    title: given.title,
    subtitle: given.subtitle,
    help: given.help,
    terms: given.terms,
    privacy: given.privacy,
    home: given.home,
  });

/**
 * With the hosts that its links may have. Errors: `system_invalid_input` for a logo that is no image, colours that cannot be
 * read, a link to another host.
 */
export function readBrand(given: BrandFields, hosts: readonly string[]): ApplicationBrand {
  const link = (field: 'help_uri' | 'terms_uri' | 'privacy_uri') => {
    const uri = given[field];
    return uri === undefined ? undefined : readOwnLink(uri, `brand.${field}`, hosts);
  };
  requireLogo(given.base64logo, 'brand.base64logo');
  requireReadableColours(given);
  return allFields<ApplicationBrand>({
    primaryColor: given.primary_color,
    primaryColorDark: given.primary_color_dark,
    onPrimaryColor: given.on_primary_color,
    onPrimaryColorDark: given.on_primary_color_dark,
    backgroundColor: given.background_color,
    backgroundColorDark: given.background_color_dark,
    cornerRadius: given.corner_radius,
    font: given.font,
    base64logo: given.base64logo,
    helpUri: link('help_uri'),
    termsUri: link('terms_uri'),
    privacyUri: link('privacy_uri'),
    texts: given.texts && readTexts(given.texts),
  });
}
