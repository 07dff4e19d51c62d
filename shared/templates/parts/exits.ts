import { escapeHtml, oneLine } from '../html.ts';
import type { LoginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import type { Brand } from './brand.ts';
import { form } from './form.ts';

export interface Exits {
  readonly csrf?: string;
  readonly brand?: Brand | undefined;
  /** The page before. */
  readonly backHref?: string | undefined;
  /** The action of the form that ends the login: the application gets `access_denied`. */
  readonly cancelAction?: string | undefined;
}

/** The ways out that a page of a login has beside its own. */
export function exitsOf({ csrf, brand, backHref, cancelAction }: Exits, texts: LoginTexts): string {
  const back =
    backHref === undefined ? '' : `\n<a class="plain" href="${escapeHtml(backHref)}">${texts.back}</a>`;
  if (cancelAction === undefined) return back;
  const label = escapeHtml(fill(texts.cancelLogin, { app: oneLine(brand?.name ?? '') }));
  const target = csrf === undefined ? { action: cancelAction } : { action: cancelAction, csrf };
  return `${back}\n${form(target, `<button class="plain" dir="auto">${label}</button>`)}`;
}

/** The ways out of a login, below a page that has no other links. */
export function exitsBelow(exits: Exits, texts: LoginTexts): string {
  const shown = exitsOf(exits, texts);
  return shown === '' ? '' : `\n<div class="aside">${shown}\n</div>`;
}
