import { oneLine, plainText } from '../html.ts';
import type { Language } from '../language.ts';
import { messageTexts } from './message-texts.ts';
import { segments } from './segments.ts';

export interface SmsInput {
  readonly applicationName: string;
  readonly language: Language;
  readonly code: string;
  /** SPEC "CustomSmsInput": has the placeholders `{otp}` and `{app}`. */
  readonly customMessage?: string | undefined;
  /** Top-level host of the page where the code is typed, so that the browser offers it there and nowhere else. */
  readonly host?: string | undefined;
}

/** Longer names are cut in our own text. What the customer wrote is left as it is. */
const NAME_MAX = 30;

/** The text of a message with a code. It never holds a link: people must not learn to tap one in a message. */
export function smsText({ applicationName, language, code, customMessage, host }: SmsInput): string {
  const name = oneLine(applicationName);
  const text = customMessage
    ? filledIn(plainText(customMessage), name, code)
    : fitted(name, (short) => messageTexts[language].sms(short, code));
  return withBoundCode(text, host, code);
}

/** One pass, so a name that holds a placeholder stays what it is. */
function filledIn(message: string, app: string, otp: string): string {
  return message.replace(/\{(otp|app)\}/g, (_, name) => (name === 'otp' ? otp : app));
}

function fitted(name: string, textWith: (name: string) => string): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment).slice(
    0,
    NAME_MAX,
  );
  while (characters.length > 1 && segments(textWith(characters.join('').trim())) > 1) characters.pop();
  return textWith(characters.join('').trim());
}

/**
 * The last line of an origin-bound code (WICG sms-one-time-codes §2), where it costs no second message. A message that
 * ends with such a line of its own keeps it.
 */
function withBoundCode(text: string, host: string | undefined, code: string): string {
  if (!host || /(?:^|\n)@[^\n]*$/.test(text)) return text;
  const bound = `${text.trimEnd()}\n@${host} #${code}`;
  return segments(bound) === 1 ? bound : text;
}
