import { labelOf, type ProviderName } from '../../records/providers.ts';
import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { page } from '../parts/frame.ts';
import { LEAVE_SCRIPT } from '../parts/scripts.ts';
import { linkTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

/** Schemes that run in the page or read the user's disk. The scheme of an app is allowed. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/** Throws for an address that a page must not lead to. */
function requireHarmless(href: string): URL {
  const target = new URL(href);
  if (DANGEROUS.has(target.protocol)) throw new Error(`A page must not lead to a ${target.protocol} address`);
  return target;
}

/**
 * A page between a mailed link and its target: mail scanners open links, and stop here. Works without JavaScript.
 * @throws for a target with a dangerous scheme
 */
export function continuePage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly href: string;
}): string {
  const target = requireHarmless(input.href);
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

export interface LeavingPageInput {
  readonly language: Language;
  readonly brand?: Brand | undefined;
  /** Absolute, or a path on this origin. */
  readonly href: string;
  /** The provider that the address leads to; undefined: back to the application. */
  readonly provider?: ProviderName | undefined;
}

/**
 * Renders the page that answers the last form of a login and navigates by itself, without a script by `<meta>`. A redirect in its
 * place would be checked against the `form-action` of the page with the form, with all redirects that follow at the application.
 * @throws for a target with a dangerous scheme
 */
export function leavingPage({ language, brand, href, provider }: LeavingPageInput): string {
  if (!href.startsWith('/')) requireHarmless(href);
  const texts = loginTexts[language];
  const target = escapeHtml(href);
  const body = provider ? fill(texts.leavingBody, { provider: labelOf(provider) }) : texts.formPostBody;
  return page({
    language,
    // Another language would lead to a login that is over.
    brand: brand && { ...brand, languagesAt: undefined },
    title: texts.formPostHeading,
    script: LEAVE_SCRIPT,
    head: `\n<noscript><meta http-equiv="refresh" content="0;url=${target}"></noscript>`,
    content: `<h1>${texts.formPostHeading}</h1>
<p>${body}</p>
<a class="button" id="leave" href="${target}" rel="noreferrer">${texts.continueButton}</a>`,
  });
}
