import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { page } from '../parts/frame.ts';
import { linkTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

/** Schemes that run in the page or read the user's disk. The scheme of an app is allowed. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/**
 * A page between a mailed link and its target: mail scanners open links, and stop here. Works without JavaScript.
 * @throws for a target with a dangerous scheme
 */
export function continuePage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly href: string;
}): string {
  const target = new URL(input.href);
  if (DANGEROUS.has(target.protocol)) throw new Error(`A page must not lead to a ${target.protocol} address`);
  const texts = linkTexts[input.language];
  const heading = fill(texts.continueHeading, { app: oneLine(input.brand.name) });
  const destination = target.host
    ? `<p class="soft">${texts.continueTo} <strong>${escapeHtml(target.host)}</strong></p>\n`
    : '';
  return page({
    language: input.language,
    title: heading,
    brand: input.brand,
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p>${texts.continueBody}</p>
<a class="button" href="${escapeHtml(target.href)}" rel="noreferrer">${texts.continueButton}</a>
${destination}<p class="soft">${texts.continueWarning}</p>`,
  });
}
