import { escapeHtml, oneLine } from '../html.ts';
import { exitsOf } from '../parts/exits.ts';
import { form } from '../parts/form.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface RegisterPasskeyPageInput extends PasskeyTarget, StepInput {
  /** The action of the form that skips the passkey. */
  readonly laterAction: string;
  /** The page is for a passkey only: to skip it is to go back. */
  readonly isAll: boolean;
  /** It becomes the second factor that the application asks for; `first`: something else can. */
  readonly isFactor?: 'first' | 'last' | undefined;
  /** The browser may make it without a question. */
  readonly isSilentFirst?: boolean | undefined;
}

/** Offers a passkey to an authenticated user. */
export function registerPasskeyPage(input: RegisterPasskeyPageInput): string {
  const { language, brand, csrf, isAll, isFactor } = input;
  const texts = loginTexts[language];
  const label = isAll ? texts.registerBack : isFactor ? texts.changeMethod : texts.registerLater;
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
${form({ action: input.laterAction, csrf }, later)}${exitsOf(input, texts)}
</div>`,
  });
}
