import { invalidInput } from '../../errors/service-error.ts';
import { brandFields } from '../../records/brand.ts';
import type { CreateInput, StoredRecord } from '../../records/field.ts';
import { createRecord } from '../../records/record.ts';
import { computeContrast, DEFAULT_COLOUR, normaliseColour } from '../basis/colour.ts';
import { requireLogo } from '../sending/email-content.ts';
import { readOwnLink } from './brand-links.ts';

type ApplicationBrand = StoredRecord<typeof brandFields>;

/** Minimum contrast of text to its background (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;

/** Rejects a text colour that is unreadable on its background. */
function requireReadable(field: string, text: string | undefined, ground: string): void {
  if (text === undefined) return;
  const ratio = computeContrast(normaliseColour(text), ground);
  if (ratio < TEXT_CONTRAST)
    throw invalidInput(
      `brand.${field}: ${text} on ${ground} has a contrast of ${ratio.toFixed(1)} to 1, and needs ${TEXT_CONTRAST}`,
    );
}

/**
 * Rejects unreadable text on the primary colours. A brand without a colour for dark mode uses its light colour in dark mode.
 */
function requireReadableColours(brand: ApplicationBrand): void {
  const { primaryColor = DEFAULT_COLOUR, primaryColorDark } = brand;
  requireReadable('on_primary_color', brand.onPrimaryColor, normaliseColour(primaryColor));
  if (brand.onPrimaryColor !== undefined && brand.primaryColor === undefined)
    throw invalidInput('brand.on_primary_color: needs primary_color');
  if (brand.onPrimaryColorDark === undefined) return;
  if (primaryColorDark === undefined)
    throw invalidInput('brand.on_primary_color_dark: needs primary_color_dark');
  requireReadable('on_primary_color_dark', brand.onPrimaryColorDark, normaliseColour(primaryColorDark));
}

/**
 * Validates a brand. `hosts` are the hosts that its links may have. Errors: `system_invalid_input` for a logo that is not an
 * image, unreadable colours, or a link to another host.
 */
export function readBrand(
  given: CreateInput<typeof brandFields>,
  hosts: readonly string[],
): ApplicationBrand {
  const brand = createRecord(brandFields, {}, given, {
    helpUri: (uri) => readOwnLink(uri, 'brand.help_uri', hosts),
    termsUri: (uri) => readOwnLink(uri, 'brand.terms_uri', hosts),
    privacyUri: (uri) => readOwnLink(uri, 'brand.privacy_uri', hosts),
  });
  requireLogo(brand.base64logo, 'brand.base64logo');
  requireReadableColours(brand);
  return brand;
}
