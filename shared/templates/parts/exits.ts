import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import { deadEndWords, type LoginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import type { Brand } from './brand.ts';
import { form } from './form.ts';

export interface Exits {
  readonly csrf?: string;
  readonly brand?: Brand | undefined;
  /** URL of the previous page. */
  readonly backHref?: string | undefined;
  /** Action of the form that cancels the login. The application then receives the error `access_denied`. */
  readonly cancelAction?: string | undefined;
}

/**
 * Renders the ways to leave a login page, if it offers them: the link to the previous page and the form that cancels the login.
 */
export function renderExits({ csrf, brand, backHref, cancelAction }: Exits, texts: LoginTexts): string {
  const back =
    backHref === undefined ? '' : `\n<a class="plain" href="${escapeHtml(backHref)}">${texts.back}</a>`;
  if (cancelAction === undefined) return back;
  const label = escapeHtml(fill(texts.cancelLogin, { app: oneLine(brand?.name ?? '') }));
  const target = csrf === undefined ? { action: cancelAction } : { action: cancelAction, csrf };
  return `${back}\n${form(target, `<button class="plain" dir="auto">${label}</button>`)}`;
}

/** Renders the ways to leave a login page in a section of their own, for a page without other links at the bottom. */
export function renderExitSection(exits: Exits, texts: LoginTexts): string {
  const shown = renderExits(exits, texts);
  return shown === '' ? '' : `\n<div class="aside">${shown}\n</div>`;
}

/** Renders the button that leads to the application's home page. Returns an empty string if this page is not known. */
export function renderHomeButton(brand: Brand | undefined, language: Language): string {
  const home = brand?.links?.home;
  if (home === undefined) return '';
  return renderLinkButton(home, fill(deadEndWords[language].home, { app: oneLine(brand?.name ?? '') }));
}

/** Renders a link to a URL that looks like a button of lower priority. */
export const renderLinkButton = (href: string, label: string): string =>
  `\n<a class="button second" dir="auto" href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(label)}</a>`;
