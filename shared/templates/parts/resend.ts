import { escapeHtml, oneLine } from '../html.ts';
import { type Language, waitText } from '../language.ts';
import { type LoginTexts, loginDone, newAddressTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { exitsOf } from './exits.ts';
import { form } from './form.ts';
import type { StepInput } from './step.ts';
import { localTime } from './time.ts';

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
  /** When it was sent again, epoch seconds. */
  readonly sentAgainAt?: number | undefined;
  /** The address that the mail comes from; undefined: a text message. */
  readonly sender?: string | undefined;
}

/** Where sign-up is closed it must not tell who has an account. */
export function sentLine(input: SentInput, what: 'code' | 'link', texts: LoginTexts): string {
  const { language, secondFactor, allowsSignUp, sentAgainAt } = input;
  const isSent = secondFactor || allowsSignUp;
  const to = addressShown(input.shownTo);
  if (sentAgainAt !== undefined) {
    const again = { what: texts[`${what}Word`], time: localTime(language, sentAgainAt, 'time') };
    return isSent ? fill(texts.sentAgain, again) : fill(texts.onItsWayAgain, { ...again, to });
  }
  return fill(isSent ? texts[`${what}Sent`] : texts[`${what}OnItsWay`], { to });
}

/** What to do when no message comes, which opens without a script, and the ways out of the page. */
export function nothingThere(input: SentInput, label: string, texts: LoginTexts): string {
  const { sender, error } = input;
  const look =
    sender === undefined ? '' : `<p>${fill(texts.lookInSpam, { sender: addressShown(sender) })}</p>\n`;
  return `<div class="aside">
<details class="ways"${error ? ' open' : ''}>
<summary>${texts.nothingThere}</summary>
${look}${resendForm(input, label, texts)}${changeForm(input, texts)}
</details>${exitsOf(input, texts)}
</div>
${otherTab(input.language)}`;
}

/** What the page becomes once another tab has gone on to the end. */
function otherTab(language: Language): string {
  const { heading, body } = loginDone[language];
  return `<p id="done" hidden data-heading="${heading}">${body}</p>`;
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

/** The address that a new one replaces, masked. */
export interface ReplacedAddress {
  readonly shown: string;
  readonly canUndo: boolean;
}

export function replacedLine(replaced: ReplacedAddress | undefined, language: Language): string {
  if (!replaced) return '';
  const { replaces, replacesProven } = newAddressTexts[language];
  const text = replaced.canUndo ? replacesProven : replaces;
  return `<p>${fill(text, { address: addressShown(replaced.shown) })}</p>`;
}

/** An address as HTML, left to right in every language. */
export function addressShown(address: string): string {
  return `<strong dir="ltr">${escapeHtml(oneLine(address))}</strong>`;
}
