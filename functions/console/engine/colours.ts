// Colours in the inputs of a form: the sentence on the contrast of text, and the colour that a page uses instead of an empty one.

import { computeContrast, contrastColour, parseHexColour } from '../../../shared/domain/basis/colour.ts';
import { ACCENT, PAGE } from '../../../shared/templates/parts/style.ts';

/** Minimum contrast of text to its background (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;

/**
 * Describes the contrast of text on a background colour. Returns an empty string if the background colour is invalid.
 * @param text colour of the text; if it is missing or invalid, black or white is used, whichever has the higher contrast
 */
export function describeContrast(ground: string, text: string): string {
  const colour = parseHexColour(ground);
  if (colour === undefined) return '';
  const on = parseHexColour(text) ?? contrastColour(colour);
  const ratio = computeContrast(on, colour);
  const verdict = ratio < TEXT_CONTRAST ? `too low, ${TEXT_CONTRAST} to 1 is needed` : 'good to read';
  const name = { '#ffffff': 'White text', '#000000': 'Black text' }[on] ?? `Text in ${on}`;
  return `${name} has a contrast of ${ratio.toFixed(1)} to 1: ${verdict}.`;
}

/** Returns the colour that pages use for the colour input with this name, also if the input is empty. */
export function findShownColour(name: string, values: Readonly<Record<string, string>>): string {
  const [, parent = '', own = ''] = /^(.*?)([^.]*)$/.exec(name) ?? [];
  const given = (sibling: string) => parseHexColour(values[`${parent}${sibling}`]);
  // If a colour is set for one mode only, both modes use it.
  const light = () => given('primary_color') ?? given('primary_color_dark') ?? ACCENT.light;
  const dark = () => given('primary_color_dark') ?? given('primary_color') ?? ACCENT.dark;
  const shown: Readonly<Record<string, () => string>> = {
    primary_color: light,
    primary_color_dark: dark,
    on_primary_color: () => contrastColour(light()),
    on_primary_color_dark: () => contrastColour(dark()),
    background_color: () => PAGE.light,
    background_color_dark: () => PAGE.dark,
  };
  return given(own) ?? shown[own]?.() ?? ACCENT.light;
}
