import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { page } from '../parts/frame.ts';
import { noticeLinkTexts } from '../texts/notice-link-texts.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

type Undone = 'address' | 'recovery' | 'erasure';

/** Asks before a link of a notice does what it says: mail scanners follow links, and do not submit forms. */
export function noticeLinkPage(input: AskPageInput & { readonly undoes: Undone }): string {
  const { heading, ...texts } = noticeLinkTexts[input.language][input.undoes];
  return askPage(input, { ...texts, heading: heading(oneLine(input.brand.name)) });
}

/** What came of it: done; the address is another user's by now; or it was done before. */
export function noticeLinkDonePage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly undoes: Undone;
  readonly outcome: 'done' | 'taken' | 'over';
}): string {
  const { language, brand, undoes, outcome } = input;
  const texts = noticeLinkTexts[language];
  const [heading, body] = {
    done: [texts[undoes].doneHeading, texts[undoes].doneBody],
    taken: [texts.takenHeading, texts.takenBody(oneLine(brand.name))],
    over: [texts.overHeading, texts.overBody],
  }[outcome] as [string, string];
  return page({
    language,
    brand,
    title: heading,
    content: `<h1>${heading}</h1>
<p dir="auto">${escapeHtml(body)}</p>`,
  });
}
