import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsBelow } from '../parts/exits.ts';
import { form } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { timeIn } from '../parts/time.ts';
import { loginTexts, lossTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface LossPageInput extends Omit<Exits, 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  readonly csrf: string;
  /** The form that goes on, and the one that stops it. */
  readonly action: string;
  readonly stopAction: string;
  readonly kinds: readonly ('mail' | 'phone' | 'passkey' | 'social')[];
  /** Epoch seconds. */
  readonly since: number;
  readonly effectiveAt: number;
}

/** Shows whoever logs in what was said to be lost, before the login goes on. */
export function lossPage(input: LossPageInput): string {
  const { language, brand, csrf, action, stopAction, kinds, since, effectiveAt } = input;
  const texts = loginTexts[language];
  const { heading, body, stop, tip, social } = lossTexts[language];
  const { fieldLabel, passkey } = texts;
  const { email: mail, phone } = fieldLabel;
  const names = { mail, phone, passkey, social };
  const listed = new Intl.ListFormat(language).format(kinds.map((kind) => names[kind]));
  const time = (at: number) => timeIn(language, at);
  return page({
    language,
    brand,
    title: heading,
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p>${escapeHtml(fill(body, { since: time(since), kinds: listed, from: time(effectiveAt) }))}</p>
${form({ action, csrf }, `<button class="button">${texts.continueButton}</button>`)}
${form({ action: stopAction, csrf }, `<button class="button second">${stop}</button>`)}
<p class="soft">${tip}</p>${exitsBelow(input, texts)}`,
  });
}
