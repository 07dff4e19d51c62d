import { oneLine, plainText } from '../html.ts';
import type { Language } from '../language.ts';
import { codeSmsText, noticeSmsTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { segments } from './segments.ts';

export interface SmsInput {
  readonly applicationName: string;
  readonly language: Language;
  readonly code: string;
  /** Text from the caller, with the placeholders `{otp}` and `{app}` (SPEC "CustomSmsInput"). */
  readonly customMessage?: string | undefined;
  /** Host of the page on which the user types the code. Browsers fill in the code only on that host. */
  readonly host?: string | undefined;
}

/** Maximum number of characters of the application's name in the default text. A custom text contains the whole name. */
const NAME_MAX = 30;

/** Composes a text message with a code. It never contains a link, so that users do not learn to tap links in text messages. */
export function smsText({ applicationName, language, code, customMessage, host }: SmsInput): string {
  const name = oneLine(applicationName);
  // The caller's text is sent unchanged, because it may already end with an origin-bound code line.
  if (customMessage) return filledIn(plainText(customMessage), name, code);
  const text = fitted(name, (app) => fill(codeSmsText[language], { app, code }));
  return withBoundCode(text, host, code);
}

export type SmsNotice = keyof (typeof noticeSmsTexts)[Language];

/** Composes the text message of a notice. The message contains a link only if the user has no other way to undo the change. */
export function noticeSms({
  applicationName,
  language,
  about,
  url,
}: Pick<SmsInput, 'applicationName' | 'language'> & {
  readonly about: SmsNotice;
  readonly url?: string | undefined;
}): string {
  const text = fitted(oneLine(applicationName), (app) => fill(noticeSmsTexts[language][about], { app }));
  return url === undefined ? text : `${text} ${url}`;
}

/** Replaces both placeholders in one pass, so that the application's name may contain the text of a placeholder. */
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

/** Appends the line that binds the code to an origin (WICG sms-one-time-codes §2), if the text still fits into one message. */
function withBoundCode(text: string, host: string | undefined, code: string): string {
  if (!host) return text;
  const bound = `${text.trimEnd()}\n@${host} #${code}`;
  return segments(bound) === 1 ? bound : text;
}
