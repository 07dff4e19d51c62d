import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsBelow } from '../parts/exits.ts';
import {
  describedBy,
  errorBox,
  errorText,
  type FormTarget,
  form,
  type PageError,
  titleOf,
} from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/languages.ts';

export interface PhonePageInput extends FormTarget, Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  /** The last input. */
  readonly phoneNumber?: string | undefined;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

/** Asks for a phone number to verify. Posts `phone_number`. */
export function phonePage(input: PhonePageInput): string {
  const { language, brand, error } = input;
  const texts = loginTexts[language];
  return page({
    language,
    brand,
    title: titleOf(texts, texts.phoneHeading, error),
    script: FORM_SCRIPT,
    content: `<h1>${texts.phoneHeading}</h1>
<p dir="auto">${escapeHtml(texts.phoneBody(oneLine(brand.name)))}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error, 'phone'))}${form(
  input,
  `<label for="phone_number">${texts.fieldLabel.phone}</label>
<input id="phone_number" name="phone_number" type="tel" inputmode="tel" autocomplete="tel" maxlength="40" required autofocus value="${escapeHtml(oneLine(input.phoneNumber ?? ''))}"${describedBy(error, 'hint')}>
<p class="soft hint" id="hint">${texts.phoneHint}</p>
<button class="button">${texts.sendCodeBySms}</button>`,
)}${exitsBelow(input, texts)}`,
  });
}
