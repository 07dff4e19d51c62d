import { escapeHtml, oneLine } from '../html.ts';
import type { LoginTexts } from '../texts/all.ts';
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
