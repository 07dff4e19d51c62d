import { escapeHtml, oneLine } from '../html.ts';
import { type Language, waitText } from '../language.ts';
import { type LoginTexts, newAddressTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { form, type PageError } from './form.ts';
import { localTime } from './time.ts';

interface Resend {
  readonly language: Language;
  readonly action: string;
  readonly csrf: string;
  readonly label: string;
  readonly resendAfterSeconds: number;
}

/**
 * Without scripts the button works at once, the text names the wait, and the server refuses an early submit. The countdown
 * is no live region, or a screen reader would read each second. Its end is one.
 */
export function resendForm(
  { language, resendAfterSeconds, label, ...target }: Resend,
  texts: LoginTexts,
): string {
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

/** What a page for a code or a link says of its message. The address is as typed in this browser, or masked. */
export interface SentMessage {
  readonly language: Language;
  readonly shownTo: string;
  /** After a first factor the page may say that it was sent. */
  readonly secondFactor?: boolean | undefined;
  /** An address without an account gets one. */
  readonly allowsSignUp?: boolean | undefined;
  /** When it was sent again, epoch seconds. */
  readonly sentAgainAt?: number | undefined;
  /** The address that the mail comes from; undefined: a text message. */
  readonly sender?: string | undefined;
  readonly resendAction: string;
  /** 0: at once. */
  readonly resendAfterSeconds: number;
  /** Back to the choice of an address, or of a second factor. */
  readonly changeAction?: string | undefined;
  readonly error?: PageError | undefined;
  readonly csrf: string;
}

/** Where sign-up is closed it must not tell who has an account. */
export function sentLine(input: SentMessage, what: 'code' | 'link', texts: LoginTexts): string {
  const { language, secondFactor, allowsSignUp, sentAgainAt } = input;
  const isSent = secondFactor || allowsSignUp;
  const to = addressShown(input.shownTo);
  if (sentAgainAt !== undefined) {
    const again = { what: texts[`${what}Word`], time: localTime(language, sentAgainAt, 'time') };
    return isSent ? fill(texts.sentAgain, again) : fill(texts.onItsWayAgain, { ...again, to });
  }
  return fill(isSent ? texts[`${what}Sent`] : texts[`${what}OnItsWay`], { to });
}

/** What to do when no message comes; it opens without a script. */
export function nothingThere(input: SentMessage, label: string, texts: LoginTexts): string {
  const { sender, error, resendAction: action } = input;
  const look =
    sender === undefined ? '' : `<p>${fill(texts.lookInSpam, { sender: addressShown(sender) })}</p>\n`;
  return `<details class="ways"${error ? ' open' : ''}>
<summary>${texts.nothingThere}</summary>
${look}${resendForm({ ...input, action, label }, texts)}${changeForm(input, texts)}
</details>`;
}

interface Change {
  readonly csrf: string;
  readonly changeAction?: string | undefined;
  readonly secondFactor?: boolean | undefined;
}

export function changeForm({ csrf, changeAction, secondFactor }: Change, texts: LoginTexts): string {
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
  return `<p>${fill(text, { address: addressShown(replaced.shown) })}</p>\n`;
}

/** An address as HTML, left to right in every language. */
export function addressShown(address: string): string {
  return `<strong dir="ltr">${escapeHtml(oneLine(address))}</strong>`;
}
