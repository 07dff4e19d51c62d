import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, renderExitSection } from '../parts/exits.ts';
import { form } from '../parts/form.ts';
import { renderPage } from '../parts/frame.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';

export interface AskPageInput extends Omit<Exits, 'csrf' | 'brand'> {
  readonly action: string;
  readonly csrf?: string;
  readonly language: Language;
  readonly brand: Brand;
}

/** Renders a page with one question and one button. The action happens only when the user presses the button. */
export function askPage(
  input: AskPageInput,
  texts: {
    readonly heading: string;
    readonly body: string;
    readonly button: string;
    readonly tip?: string | undefined;
    /** HTML between the text and the button, such as a notice. */
    readonly notice?: string;
  },
): string {
  const { language, brand, backHref: _, cancelAction: __, ...target } = input;
  const { heading, body, button, tip, notice = '' } = texts;
  const below = tip === undefined ? '' : `\n<p class="soft">${tip}</p>`;
  return renderPage({
    language,
    brand,
    title: heading,
    script: FORM_SCRIPT,
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p dir="auto">${body}</p>
${notice}${form(target, `<button class="button">${button}</button>`)}${below}${renderExitSection(input, loginTexts[language])}`,
  });
}
