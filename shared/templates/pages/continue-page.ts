import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import { page } from '../parts/frame.ts';
import { pageTexts } from '../texts/link-texts.ts';

/** Schemes that run in the page or read the visitor's disk. An app's own scheme is a fair target. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/**
 * Stands between a mailed link and its target, for a person to go on: programs that open links in mails stop here. Works
 * without JavaScript. Throws for a target that a page must never lead to.
 */
export function continuePage(input: {
  readonly language: Language;
  readonly applicationName: string;
  readonly href: string;
}): string {
  const target = new URL(input.href);
  if (DANGEROUS.has(target.protocol)) throw new Error(`A page must not lead to a ${target.protocol} address`);
  const texts = pageTexts[input.language];
  const heading = texts.continueHeading(oneLine(input.applicationName));
  const destination = target.host
    ? `<p class="soft">${texts.continueTo} <strong>${escapeHtml(target.host)}</strong></p>\n`
    : '';
  return page({
    language: input.language,
    title: heading,
    brand: { name: input.applicationName },
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p>${texts.continueBody}</p>
<a class="button" href="${escapeHtml(target.href)}" rel="noreferrer">${texts.continueButton}</a>
${destination}<p class="soft">${texts.continueWarning}</p>`,
  });
}
