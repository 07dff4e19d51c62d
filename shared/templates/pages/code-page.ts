import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
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
import { changeForm, maskedAddress, resendForm } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/languages.ts';

export interface CodePageInput extends FormTarget {
  readonly language: Language;
  readonly brand: Brand;
  readonly channel: 'email' | 'sms';
  /** Made by `maskEmail` or `maskPhoneNumber`: the page does not repeat the whole address. */
  readonly maskedTo: string;
  /** Digits of the longest code that may have been sent. */
  readonly digitsMax: number;
  readonly resendAction: string;
  /** 0: at once. */
  readonly resendAfterSeconds: number;
  /** Back to the choice of an address, or of a second factor. */
  readonly changeAction?: string | undefined;
  /** A first factor was given already, so the page may say that a code was sent. */
  readonly secondFactor?: boolean | undefined;
  /** What the person should read first. */
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

/** Asks for the digits. Posts `passcode`. Says the same whether anybody has the address or not. */
export function codePage(input: CodePageInput): string {
  const { language, brand, error, secondFactor } = input;
  const texts = loginTexts[language];
  const heading = input.channel === 'sms' ? texts.checkPhoneHeading : texts.checkEmailHeading;
  const sent = (secondFactor ? texts.codeSent : texts.codeOnItsWay)(maskedAddress(input.maskedTo));
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p id="sent">${sent}</p>
${noticeBox(texts, input.notice)}${errorBox(errorText(texts, language, error))}${form(
  input,
  `<label for="passcode">${texts.codeLabel}</label>
<input class="code" id="passcode" name="passcode" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="${digitsPattern(input.digitsMax)}" title="${escapeHtml(texts.codeFormat)}" required autofocus${describedBy(error, 'sent', 'tip')}>
<button class="button">${texts.continueButton}</button>
<p class="soft" id="tip">${texts.codeTip}</p>`,
)}
<div class="aside">
${resendForm({ ...input, action: input.resendAction, label: texts.resendCode }, texts)}${changeForm(input, texts)}
</div>`,
  });
}

/** Full-width digits are what a Japanese keyboard types; blanks and hyphens come with a pasted code. */
function digitsPattern(max: number): string {
  return `\\s*(?:[0-9０-９][\\s\\-]*){1,${max}}`;
}
