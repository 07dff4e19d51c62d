import type { PasscodeChannel } from '../../records/channels.ts';
import { escapeHtml } from '../html.ts';
import { describedBy, type FormTarget, form } from '../parts/form.ts';
import { renderResendHelp, renderSent, resendForm, type SentInput } from '../parts/resend.ts';
import { CODE_MARKS } from '../parts/scripts.ts';
import { stepPage } from '../parts/step.ts';
import { CODE_STYLE } from '../parts/style.ts';
import { loginTexts } from '../texts/all.ts';

export interface CodePageInput extends FormTarget, SentInput {
  readonly channel: PasscodeChannel;
  /** Number of digits of the application's codes. */
  readonly digits: number;
}

const CHECK: Readonly<
  Record<
    PasscodeChannel,
    { readonly heading: 'checkPhoneHeading' | 'checkEmailHeading'; readonly mark: string }
  >
> = {
  email: { heading: 'checkEmailHeading', mark: '' },
  // Browsers can read the code of a text message (WebOTP).
  sms: { heading: 'checkPhoneHeading', mark: ' data-sms' },
};

/**
 * Renders the page that asks for the code. Posts `passcode`, which may be a whole pasted message. After the typed code has
 * expired, the main button sends a new code. The page is the same for known and unknown addresses.
 */
export function codePage(input: CodePageInput): string {
  const { error } = input;
  const texts = loginTexts[input.language];
  const isExpired = error?.key === 'code_expired';
  const check = CHECK[input.channel];
  return stepPage(input, {
    heading: texts[check.heading],
    lead: renderSent(input, 'code', texts),
    styles: [CODE_STYLE],
    content: `${isExpired ? resendForm(input, texts.resendCode, texts, 'button') : ''}${form(
      input,
      `<label for="passcode">${texts.codeLabel}</label>
${inCells(
  input.digits,
  `<input class="code" id="passcode" name="passcode" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="${digitsPattern(input.digits)}" data-digits="${input.digits}"${check.mark} title="${escapeHtml(texts.codeFormat)}" required${isExpired ? '' : ' autofocus'}${describedBy(error, 'sent')}>`,
)}
<button class="button${isExpired ? ' second' : ''}">${texts.continueButton}</button>`,
    )}
${renderResendHelp(input, isExpired ? undefined : texts.resendCode, texts)}`,
  });
}

/**
 * Renders a code field with one decorative cell for each digit. The cells are shown only if they line up with the digits, which
 * the style sheet finds out from the width of the invisible text in `data-cells`.
 */
const inCells = (digits: number, input: string) =>
  `<div class="cells n${digits}" data-cells="${'0'.repeat(digits)}"><div>${input}<span aria-hidden="true">${'<i></i>'.repeat(digits)}</span></div></div>`;

/** Returns the pattern of the code field: digits of any script with separators, or a whole message that contains the code. */
function digitsPattern(digits: number): string {
  const separators = `[\\s${CODE_MARKS}]*`;
  const other = `[^\\p{Nd}\\s${CODE_MARKS}]`;
  return `${separators}(?:\\p{Nd}${separators}){1,${digits}}|(?=.*${other}).*\\p{Nd}(?:${separators}\\p{Nd}){${digits - 1}}.*`;
}
