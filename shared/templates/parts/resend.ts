import { escapeHtml, oneLine } from '../html.ts';
import { type Language, waitText } from '../language.ts';
import { type LoginTexts, newAddressTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { form } from './form.ts';

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
