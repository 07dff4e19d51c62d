import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsOf } from '../parts/exits.ts';
import { errorBox, errorText, form, type PageError, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface RegisterPasskeyPageInput extends PasskeyTarget, Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  /** The action of the form that skips the passkey. */
  readonly laterAction: string;
  /** The page is for a passkey only: to skip it is to go back. */
  readonly isAll: boolean;
  /** The browser may make it without a question. */
  readonly isSilentFirst?: boolean | undefined;
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

/** Offers a passkey to an authenticated user. */
export function registerPasskeyPage(input: RegisterPasskeyPageInput): string {
  const { language, brand, error, csrf } = input;
  const texts = loginTexts[language];
  const later = `<button class="plain">${input.isAll ? texts.registerBack : texts.registerLater}</button>`;
  return page({
    language,
    brand,
    title: titleOf(texts, texts.registerHeading, error),
    script: FORM_SCRIPT,
    content: `<h1>${texts.registerHeading}</h1>
<p dir="auto">${escapeHtml(fill(texts.registerBody, { app: oneLine(brand.name) }))}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error))}${passkeyForm({
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
