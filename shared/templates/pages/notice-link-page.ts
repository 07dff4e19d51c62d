import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderHomeButton } from '../parts/exits.ts';
import { renderPage } from '../parts/frame.ts';
import { accountTexts, noticeLinkTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

export type RevertedChange = 'address' | 'change' | 'recovery' | 'erasure';

/**
 * Renders the page that asks before the link of a notice takes effect, because mail scanners open links but do not submit
 * forms.
 */
export function noticeLinkPage(
  input: AskPageInput & { readonly undoes: RevertedChange | 'reclaimed' },
): string {
  const { heading, ...texts } = noticeLinkTexts[input.language][input.undoes];
  return askPage(input, { ...texts, heading: fill(heading, { app: oneLine(input.brand.name) }) });
}

/** Result of using the link of a notice. */
export type NoticeLinkOutcome =
  | { readonly outcome: 'done'; readonly undoes: RevertedChange }
  /**
   * Result of a link that had no effect. `taken`: another user has the address now. `over`: the link has expired or was used.
   */
  | { readonly outcome: 'taken' | 'over' };

function chooseTexts(
  input: NoticeLinkOutcome & { readonly brand: Brand },
  texts: (typeof noticeLinkTexts)[Language],
): readonly [string, string] {
  switch (input.outcome) {
    case 'done':
      return [texts[input.undoes].doneHeading, texts[input.undoes].doneBody];
    case 'taken':
      return [texts.takenHeading, fill(texts.takenBody, { app: oneLine(input.brand.name) })];
    case 'over':
      return [texts.overHeading, fill(texts.overBody, { app: oneLine(input.brand.name) })];
  }
}

export function noticeLinkDonePage(
  input: NoticeLinkOutcome & {
    readonly language: Language;
    readonly brand: Brand;
    /** URL of the account page, which begins with a login. Undefined if the application has no hosted login. */
    readonly accountHref?: string | undefined;
  },
): string {
  const { language, brand, outcome, accountHref } = input;
  const [heading, body] = chooseTexts(input, noticeLinkTexts[language]);
  const signIn =
    accountHref === undefined || outcome !== 'done'
      ? ''
      : `\n<a class="button" href="${escapeHtml(accountHref)}">${accountTexts[language].signIn}</a>`;
  return renderPage({
    language,
    brand,
    title: heading,
    content: `<h1>${heading}</h1>
<p dir="auto">${escapeHtml(body)}</p>${signIn || renderHomeButton(brand, language)}`,
  });
}
