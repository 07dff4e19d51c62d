import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from './brand.ts';
import { type FormTarget, form } from './form.ts';
import { page } from './frame.ts';
import { FORM_SCRIPT } from './scripts.ts';
import { pageTexts } from './texts.ts';

/** Like the Continue page of a mailed link, where going on changes something: programs that follow links do not submit. */
export function continueFormPage(
  input: FormTarget & { readonly language: Language; readonly brand: Brand },
): string {
  const { language, brand } = input;
  const texts = pageTexts[language];
  const heading = texts.continueHeading(oneLine(brand.name));
  return page({
    language,
    brand,
    title: heading,
    script: FORM_SCRIPT,
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p>${texts.continueBody}</p>
${form(input, `<button class="button">${texts.continueButton}</button>`)}
<p class="soft">${texts.continueWarning}</p>`,
  });
}
