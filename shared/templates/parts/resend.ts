import { escapeHtml, oneLine } from '../html.ts';
import { formatWaitingTime, type Language } from '../language.ts';
import { type LoginTexts, loginDone, newAddressTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { renderExits } from './exits.ts';
import { form } from './form.ts';
import type { StepInput } from './step.ts';
import { localTime } from './time.ts';

/** Input of a page that is shown until the user has received a code or link. */
export interface WaitingInput extends StepInput {
  readonly csrf: string;
  readonly resendAction: string;
  /** Action of the form that leads back, so that the user can choose another address or another second factor. */
  readonly changeAction?: string | undefined;
  /** True if the user has already logged in with a first factor. The page may then say that a message was sent to this user. */
  readonly secondFactor?: boolean | undefined;
}

/** Input of a page that says where a code or link was sent. */
export interface SentInput extends WaitingInput {
  /**
   * Address in the form in which the page shows it: in full if it was typed in this browser, otherwise masked by `maskEmail` or
   * `maskPhoneNumber`.
   */
  readonly shownTo: string;
  /** Seconds until the message can be sent again. 0 if it can be sent now. */
  readonly resendAfterSeconds: number;
  /** True if users can sign up. Messages are then also sent to addresses without an account. */
  readonly allowsSignUp?: boolean | undefined;
  /** Time of the last resend in epoch seconds. */
  readonly sentAgainAt?: number | undefined;
  /** Sender address of the email. Undefined if an SMS was sent. */
  readonly sender?: string | undefined;
}

/**
 * Returns the sentence that says where the code or link was sent. If users cannot sign up, it says that the message is on its
 * way only if the account exists, so that the page does not reveal who has an account.
 */
function sentLine(input: SentInput, what: 'code' | 'link', texts: LoginTexts): string {
  const { language, secondFactor, allowsSignUp, sentAgainAt } = input;
  const isSent = secondFactor || allowsSignUp;
  const to = renderAddress(input.shownTo);
  if (sentAgainAt !== undefined) {
    const again = { what: texts[`${what}Word`], time: localTime(language, sentAgainAt, 'time') };
    return fill(isSent ? texts.sentAgain : texts.onItsWayAgain, { ...again, to });
  }
  return fill(isSent ? texts[`${what}Sent`] : texts[`${what}OnItsWay`], { to });
}

/** ID of the form that changes the address. Its button is beside the address, outside the form. */
const CHANGE_FORM = 'change';

/** Renders the sentence that says where the code or link was sent, with a button beside it that changes the address. */
export function renderSent(input: SentInput, what: 'code' | 'link', texts: LoginTexts, tip = ''): string {
  const { changeAction, secondFactor } = input;
  const label = secondFactor ? texts.changeMethod : texts.change;
  const button =
    changeAction === undefined ? '' : ` <button class="plain" form="${CHANGE_FORM}">${label}</button>`;
  return `<div class="sent"><p id="sent">${sentLine(input, what, texts)}${tip}</p>${button}</div>`;
}

/**
 * Renders the help for users who receive no message, in a `<details>` element that opens without JavaScript, and the links to
 * go back or cancel.
 * @param label Label of the button that sends the message again; undefined if the page has this button elsewhere
 */
export function renderResendHelp(input: SentInput, label: string | undefined, texts: LoginTexts): string {
  const { csrf, changeAction, sender, error } = input;
  const change =
    changeAction === undefined ? '' : `${form({ action: changeAction, csrf, id: CHANGE_FORM }, '')}\n`;
  const look =
    sender === undefined ? '' : `<p>${fill(texts.lookInSpam, { sender: renderAddress(sender) })}</p>\n`;
  const help = `${look}${label === undefined ? '' : resendForm(input, label, texts)}`;
  const nothingThere =
    help &&
    `<details class="ways"${error ? ' open' : ''}>
<summary>${texts.nothingThere}</summary>
${help}
</details>`;
  return `<div class="aside">
${nothingThere}${renderExits(input, texts)}
</div>
${change}${otherTab(input.language)}`;
}

/** Renders the hidden text that replaces the page after another tab has completed the login. */
function otherTab(language: Language): string {
  const { heading, body } = loginDone[language];
  return `<p id="done" hidden data-heading="${heading}">${body}</p>`;
}

/**
 * Renders the alternatives on a page that waits for a code or link: the form `resend`, the form that changes the address or
 * method, and the exits (back and cancel).
 */
export function renderAlternatives(input: WaitingInput, resend: string, texts: LoginTexts): string {
  const label = input.secondFactor ? texts.changeMethod : texts.changeIdentifier;
  return `<div class="aside">
${resend}${changeForm(input, label)}${renderExits(input, texts)}
</div>`;
}

type Resend = Pick<SentInput, 'language' | 'csrf' | 'resendAction' | 'resendAfterSeconds'>;

/**
 * Renders the form that sends the message again. With scripts, the button counts down. Without scripts, the button works
 * immediately, the text contains the waiting time, and the server rejects an early submission. Only the end of the countdown is
 * announced, because a screen reader would otherwise read out each second.
 */
export function resendForm(
  { language, csrf, resendAction, resendAfterSeconds }: Resend,
  label: string,
  texts: LoginTexts,
  look: 'plain' | 'button' = 'plain',
): string {
  const target = { action: resendAction, csrf };
  const seconds = Math.max(0, Math.ceil(resendAfterSeconds));
  const button = `<button class="${look}" id="resend"${look === 'button' ? ' autofocus' : ''}>${label}</button>`;
  if (seconds === 0) return form(target, button);
  const [text, ready] = [fill(texts.resendWait, { time: '{time}' }), texts.resendReady].map(escapeHtml);
  return form(
    target,
    `${button}
<p class="soft wait" id="wait" data-seconds="${seconds}" data-text="${text}" data-ready="${ready}">${fill(texts.resendWait, { time: formatWaitingTime(language, seconds) })}</p>
<p class="unseen" id="ready" role="status"></p>`,
  );
}

function changeForm({ csrf, changeAction }: WaitingInput, label: string): string {
  if (changeAction === undefined) return '';
  return `\n${form({ action: changeAction, csrf }, `<button class="plain">${label}</button>`)}`;
}

/** Masked address that a new address replaces. */
export interface ReplacedAddress {
  readonly shown: string;
  /** True if the replaced address receives a notice with a link that undoes the change. */
  readonly canUndo: boolean;
}

export function renderReplacedAddress(replaced: ReplacedAddress | undefined, language: Language): string {
  if (!replaced) return '';
  const { replaces, replacesProven } = newAddressTexts[language];
  const text = replaced.canUndo ? replacesProven : replaces;
  return `<p>${fill(text, { address: renderAddress(replaced.shown) })}</p>`;
}

/** Renders an address as HTML, left to right in every language. */
export function renderAddress(address: string): string {
  return `<strong dir="ltr">${escapeHtml(oneLine(address))}</strong>`;
}
