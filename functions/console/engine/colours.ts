// Sentence below the colour inputs of a form that says whether text on the colour is readable.

import { computeContrast, contrastColour, parseHexColour } from '../../../shared/domain/basis/colour.ts';

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
