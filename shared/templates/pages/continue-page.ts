import type { ProviderName } from '../../records/providers.ts';
import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderPage } from '../parts/frame.ts';
import { chooseProviderLabel } from '../parts/provider-button.ts';
import { LEAVE_SCRIPT } from '../parts/scripts.ts';
import { linkTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

/** Schemes that run code in the page or read local files. Custom schemes of apps are allowed. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);

/**
 * Parses a URL that a page links to.
 * @throws if its scheme is dangerous
 */
function requireHarmless(href: string): URL {
  const target = new URL(href);
  if (DANGEROUS.has(target.protocol)) throw new Error(`A page must not lead to a ${target.protocol} address`);
  return target;
}

/**
 * Renders a page with a button that leads to the target of an emailed link, because mail scanners open links but press no
 * buttons. The page works without JavaScript.
 * @throws if the target has a dangerous scheme
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
  return renderPage({
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
  /** Target as an absolute URL or a path on this origin. */
  readonly href: string;
  /** Provider to which the target belongs. Undefined if the page leads back to the application. */
  readonly provider?: ProviderName | undefined;
}

/**
 * Renders the response to the last form of a login: a page that navigates to the target by script or, without JavaScript, by
 * `<meta>`. For a redirect, browsers would check its target and all further redirects against the `form-action` of the form's
 * page.
 * @throws if the target has a dangerous scheme
 */
export function leavingPage({ language, brand, href, provider }: LeavingPageInput): string {
  if (!href.startsWith('/')) requireHarmless(href);
  const texts = loginTexts[language];
  const target = escapeHtml(href);
  const body = provider
    ? fill(texts.leavingBody, { provider: escapeHtml(chooseProviderLabel(provider, brand)) })
    : texts.formPostBody;
  return renderPage({
    language,
    // No language picker, because its link would lead back to the login, which has ended.
    brand: brand && { ...brand, languagePickerHref: undefined },
    title: texts.formPostHeading,
    script: LEAVE_SCRIPT,
    head: `\n<noscript><meta http-equiv="refresh" content="0;url=${target}"></noscript>`,
    content: `<h1>${texts.formPostHeading}</h1>
<p>${body}</p>
<a class="button" id="leave" href="${target}" rel="noreferrer">${texts.continueButton}</a>`,
  });
}
