import { escapeHtml, oneLine } from '../html.ts';
import { type Language, waitText } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { exitsBelow } from '../parts/exits.ts';
import { page } from '../parts/frame.ts';
import { loginTexts } from '../texts/languages.ts';
import { recoveryPageTexts } from '../texts/recovery-page-texts.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

/** Asks a user who cannot give the second factor whether to begin a recovery, which takes effect after so many seconds. */
export function recoveryPage(input: AskPageInput & { readonly afterSeconds: number }): string {
  const { heading, body, button, tip } = recoveryPageTexts[input.language];
  return askPage(input, { heading, body: body(waitText(input.language, input.afterSeconds)), button, tip });
}

/** A recovery has begun; or, without `afterSeconds`, no address could be told. */
export function recoveryStartedPage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly afterSeconds: number | undefined;
  readonly backHref?: string | undefined;
}): string {
  const { language, brand, afterSeconds, backHref } = input;
  const texts = recoveryPageTexts[language];
  const [heading, body] =
    afterSeconds === undefined
      ? [texts.impossibleHeading, texts.impossibleBody(oneLine(brand.name))]
      : [texts.startedHeading, texts.startedBody(waitText(language, afterSeconds))];
  return page({
    language,
    brand,
    title: heading,
    content: `<h1>${heading}</h1>
<p dir="auto">${escapeHtml(body)}</p>${exitsBelow({ backHref }, loginTexts[language])}`,
  });
}
