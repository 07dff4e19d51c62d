import { escapeHtml, oneLine } from '../html.ts';
import { waitText } from '../language.ts';
import type { LoginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { exitsOf } from './exits.ts';
import { form } from './form.ts';
import type { StepInput } from './step.ts';

/** Of a page that waits for what was sent. */
export interface WaitingInput extends StepInput {
  readonly csrf: string;
  readonly resendAction: string;
  /** Back to the choice of an address, or of a second factor. */
  readonly changeAction?: string | undefined;
  /** After a first factor the page may say that something was sent. */
  readonly secondFactor?: boolean | undefined;
}

/** Of a page that says where something was sent. */
export interface SentInput extends WaitingInput {
  /** As typed in this browser; else made by `maskEmail` or `maskPhoneNumber`. */
  readonly shownTo: string;
  /** 0: at once. */
  readonly resendAfterSeconds: number;
  /** An address without an account gets one. */
  readonly allowsSignUp?: boolean | undefined;
}

/** The ways out of such a page: to send again, which `resend` says, to change the address, and those of each page. */
export const waysOut = (input: WaitingInput, resend: string, texts: LoginTexts): string =>
  `<div class="aside">
${resend}${changeForm(input, texts)}${exitsOf(input, texts)}
</div>`;

type Resend = Pick<SentInput, 'language' | 'csrf' | 'resendAction' | 'resendAfterSeconds'>;

/**
 * Without scripts the button works at once, the text names the wait, and the server refuses an early submit. The countdown
 * is no live region, or a screen reader would read each second. Its end is one.
 */
export function resendForm(
  { language, csrf, resendAction, resendAfterSeconds }: Resend,
  label: string,
  texts: LoginTexts,
): string {
  const target = { action: resendAction, csrf };
  const seconds = Math.max(0, Math.ceil(resendAfterSeconds));
  const button = `<button class="plain" id="resend">${label}</button>`;
  if (seconds === 0) return form(target, button);
  const [text, ready] = [fill(texts.resendWait, { time: '{time}' }), texts.resendReady].map(escapeHtml);
  return form(
    target,
    `${button}
<p class="soft wait" id="wait" data-seconds="${seconds}" data-text="${text}" data-ready="${ready}">${fill(texts.resendWait, { time: waitText(language, seconds) })}</p>
<p class="unseen" id="ready" role="status"></p>`,
  );
}

function changeForm({ csrf, changeAction, secondFactor }: WaitingInput, texts: LoginTexts): string {
  if (changeAction === undefined) return '';
  const label = secondFactor ? texts.changeMethod : texts.changeIdentifier;
  return `\n${form({ action: changeAction, csrf }, `<button class="plain">${label}</button>`)}`;
}

/** An address as HTML, left to right in every language. */
export function addressShown(address: string): string {
  return `<strong dir="ltr">${escapeHtml(oneLine(address))}</strong>`;
}
