import { renderExitSection } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { localTime } from '../parts/time.ts';
import { loginTexts, lossTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface PendingRecoveryPageInput extends FormTarget, StepInput {
  /** Action of the form that cancels the pending recovery. */
  readonly cancelRecoveryAction: string;
  /** Types of the factors that the user has reported lost. */
  readonly factorTypes: readonly ('mail' | 'phone' | 'passkey' | 'social')[];
  /** Time at which the recovery was requested, in epoch seconds. */
  readonly since: number;
  /** Time at which the recovery takes effect, in epoch seconds. */
  readonly effectiveAt: number;
}

/** Renders the page that informs a user of a pending recovery during a login, before the login continues. */
export function pendingRecoveryPage(input: PendingRecoveryPageInput): string {
  const { language, csrf, action, cancelRecoveryAction, factorTypes, since, effectiveAt } = input;
  const texts = loginTexts[language];
  const { heading, body, stop, tip, kinds } = lossTexts[language];
  const listed = new Intl.ListFormat(language).format(factorTypes.map((kind) => kinds[kind]));
  const time = (at: number) => localTime(language, at, 'both');
  return stepPage(input, {
    heading,
    lead: `<p>${fill(body, { since: time(since), kinds: listed, from: time(effectiveAt) })}</p>`,
    content: `${form({ action, csrf }, `<button class="button">${texts.continueButton}</button>`)}
${form({ action: cancelRecoveryAction, csrf }, `<button class="button second">${stop}</button>`)}
<p class="soft">${tip}</p>${renderExitSection(input, texts)}`,
  });
}
