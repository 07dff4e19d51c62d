import { exitsBelow } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { localTime } from '../parts/time.ts';
import { loginTexts, lossTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface LossPageInput extends FormTarget, StepInput {
  /** The action of the form that stops it. */
  readonly stopAction: string;
  readonly kinds: readonly ('mail' | 'phone' | 'passkey' | 'social')[];
  /** Epoch seconds. */
  readonly since: number;
  readonly effectiveAt: number;
}

/** Shows whoever logs in what was said to be lost, before the login goes on. */
export function lossPage(input: LossPageInput): string {
  const { language, csrf, action, stopAction, kinds, since, effectiveAt } = input;
  const texts = loginTexts[language];
  const { heading, body, stop, tip, social } = lossTexts[language];
  const { fieldLabel, passkey } = texts;
  const { email: mail, phone } = fieldLabel;
  const names = { mail, phone, passkey, social };
  const listed = new Intl.ListFormat(language).format(kinds.map((kind) => names[kind]));
  const time = (at: number) => localTime(language, at, 'both');
  return stepPage(input, {
    heading,
    lead: `<p>${fill(body, { since: time(since), kinds: listed, from: time(effectiveAt) })}</p>`,
    content: `${form({ action, csrf }, `<button class="button">${texts.continueButton}</button>`)}
${form({ action: stopAction, csrf }, `<button class="button second">${stop}</button>`)}
<p class="soft">${tip}</p>${exitsBelow(input, texts)}`,
  });
}
