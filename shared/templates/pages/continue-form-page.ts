import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from './brand.ts';
import { type FormTarget, form } from './form.ts';
import { page } from './frame.ts';
import { FORM_SCRIPT } from './scripts.ts';
import { pageTexts } from './texts.ts';

/**
 * Like the Continue page of a mailed link, where going on changes something: programs that follow links do not submit. With
 * `replaces` it says which account gives way to which, both masked.
 */
export function continueFormPage(
  input: FormTarget & {
    readonly language: Language;
    readonly brand: Brand;
    readonly replaces?: { readonly from: string; readonly to: string } | undefined;
  },
): string {
  const { language, brand, replaces } = input;
  const texts = pageTexts[language];
  const body = replaces ? escapeHtml(texts.switchBody(replaces.from, replaces.to)) : texts.continueBody;
  const warning = replaces ? texts.switchWarning : texts.continueWarning;
  const heading = texts.continueHeading(oneLine(brand.name));
  return page({
    language,
    brand,
    title: heading,
    script: FORM_SCRIPT,
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p dir="auto">${body}</p>
${form(input, `<button class="button">${texts.continueButton}</button>`)}
<p class="soft">${warning}</p>`,
  });
}
