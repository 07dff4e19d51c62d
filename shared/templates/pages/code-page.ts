import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsOf } from '../parts/exits.ts';
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
import { addressShown, changeForm, resendForm } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface CodePageInput extends FormTarget, Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  readonly channel: 'email' | 'sms';
  /** As typed in this browser; else made by `maskEmail` or `maskPhoneNumber`. */
  readonly shownTo: string;
  /** How many digits the application's codes have. */
  readonly digits: number;
  readonly resendAction: string;
  /** 0: at once. */
  readonly resendAfterSeconds: number;
  /** Back to the choice of an address, or of a second factor. */
  readonly changeAction?: string | undefined;
  /** After a first factor the page may say that a code was sent. */
  readonly secondFactor?: boolean | undefined;
  /** An address without an account gets one. */
  readonly allowsSignUp?: boolean | undefined;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

/**
 * Asks for the digits. Posts `passcode`, which may be a whole message. Japanese keyboards type full-width digits. Looks the same for known and unknown addresses. */
export function codePage(input: CodePageInput): string {
  const { language, brand, error, secondFactor } = input;
  const texts = loginTexts[language];
  const heading = input.channel === 'sms' ? texts.checkPhoneHeading : texts.checkEmailHeading;
  const isSent = secondFactor || input.allowsSignUp;
  const sent = fill(isSent ? texts.codeSent : texts.codeOnItsWay, { to: addressShown(input.shownTo) });
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p id="sent">${sent}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error))}${form(
  input,
  `<label for="passcode">${texts.codeLabel}</label>
<input class="code" id="passcode" name="passcode" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="${digitsPattern(input.digits)}" data-digits="${input.digits}" title="${escapeHtml(texts.codeFormat)}" required autofocus${describedBy(error, 'sent')}>
<button class="button">${texts.continueButton}</button>`,
)}
<div class="aside">
${resendForm({ ...input, action: input.resendAction, label: texts.resendCode }, texts)}${changeForm(input, texts)}${exitsOf(input, texts)}
</div>`,
  });
}

/** The digits with blanks and hyphens, or among other words. */
function digitsPattern(digits: number): string {
  return `\\s*(?:[0-9０-９][\\s\\-]*){1,${digits}}|(?=.*[^0-9０-９\\s\\-]).*[0-9０-９]{${digits}}.*`;
}
