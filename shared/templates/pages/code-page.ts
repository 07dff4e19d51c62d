import { escapeHtml } from '../html.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsOf } from '../parts/exits.ts';
import { describedBy, errorBox, errorText, type FormTarget, form, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { nothingThere, type SentMessage, sentLine } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';

export interface CodePageInput extends FormTarget, SentMessage, Omit<Exits, 'csrf' | 'brand'> {
  readonly brand: Brand;
  readonly channel: 'email' | 'sms';
  /** How many digits the application's codes have. */
  readonly digits: number;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
}

/**
 * Asks for the digits. Posts `passcode`, which may be a whole message. Japanese keyboards type full-width digits. Looks the same for known and unknown addresses. */
export function codePage(input: CodePageInput): string {
  const { language, brand, error } = input;
  const texts = loginTexts[language];
  const heading = input.channel === 'sms' ? texts.checkPhoneHeading : texts.checkEmailHeading;
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p id="sent">${sentLine(input, 'code', texts)}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error))}${form(
  input,
  `<label for="passcode">${texts.codeLabel}</label>
<input class="code" id="passcode" name="passcode" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="${digitsPattern(input.digits)}" data-digits="${input.digits}" title="${escapeHtml(texts.codeFormat)}" required autofocus${describedBy(error, 'sent')}>
<button class="button">${texts.continueButton}</button>`,
)}
<div class="aside">
${nothingThere(input, texts.resendCode, texts)}${exitsOf(input, texts)}
</div>`,
  });
}

/** The digits with blanks and hyphens, or among other words. */
function digitsPattern(digits: number): string {
  return `\\s*(?:[0-9０-９][\\s\\-]*){1,${digits}}|(?=.*[^0-9０-９\\s\\-]).*[0-9０-９]{${digits}}.*`;
}
