import { escapeHtml, oneLine } from '../html.ts';
import { renderExits } from '../parts/exits.ts';
import { form } from '../parts/form.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface RegisterPasskeyPageInput extends PasskeyTarget, StepInput {
  /** Action of the form that skips the passkey. */
  readonly laterAction: string;
  /** True if the user came only to add a passkey. The button that skips the passkey is then labelled as the way back. */
  readonly isOnly: boolean;
  /** Set if the passkey becomes the required second factor. `first`: the user may choose another. `last`: no other is left. */
  readonly isFactor?: 'first' | 'last' | undefined;
  /** True if the script first tries to create the passkey without a prompt (conditional create). */
  readonly isSilentFirst?: boolean | undefined;
}

/** Renders the page that asks an authenticated user to create a passkey. */
export function registerPasskeyPage(input: RegisterPasskeyPageInput): string {
  const { language, brand, csrf, isOnly, isFactor } = input;
  const texts = loginTexts[language];
  const label = isOnly ? texts.registerBack : isFactor ? texts.changeMethod : texts.registerLater;
  const later = `<button class="plain">${label}</button>`;
  const app = oneLine(brand.name);
  const why = isFactor ? `<p dir="auto">${escapeHtml(fill(texts.factorNeeded, { app }))}</p>\n` : '';
  return stepPage(input, {
    heading: texts.registerHeading,
    lead: `${why}<p dir="auto">${escapeHtml(fill(texts.registerBody, { app }))}</p>`,
    content: `${passkeyForm({
      ...input,
      label: texts.registerButton,
      isFirst: true,
      cancelled: texts.registerCancelled,
      failed: texts.passkeyNotSaved,
      exists: texts.registerExists,
      unsupported: texts.passkeyUnsupported,
    })}
${withoutScript(texts.passkeyNeedsScript)}<div class="aside">
${form({ action: input.laterAction, csrf }, later)}${renderExits(input, texts)}
</div>`,
  });
}
