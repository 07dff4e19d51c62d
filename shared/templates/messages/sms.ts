import { oneLine, plainText } from '../html.ts';
import type { Language } from '../language.ts';
import { codeSmsText, noticeSmsTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { segments } from './segments.ts';

export interface SmsInput {
  readonly applicationName: string;
  readonly language: Language;
  readonly code: string;
  /** SPEC "CustomSmsInput": a text with the placeholders `{otp}` and `{app}`. */
  readonly customMessage?: string | undefined;
  /** The host of the page where the code is typed: browsers offer it there only. */
  readonly host?: string | undefined;
}

/** The default text cuts longer names. A custom text keeps them. */
const NAME_MAX = 30;

/** The text of a message with a code. Never has a link: users must not learn to tap links in messages. */
export function smsText({ applicationName, language, code, customMessage, host }: SmsInput): string {
  const name = oneLine(applicationName);
  // The caller's text goes as it was given: it may end with a line of its own.
  if (customMessage) return filledIn(plainText(customMessage), name, code);
  const text = fitted(name, (app) => fill(codeSmsText[language], { app, code }));
  return withBoundCode(text, host, code);
}

export type SmsNotice = keyof (typeof noticeSmsTexts)[Language];

/** The text of a notice. Holds no link, as the others: but for one that is the only way to undo what it tells of. */
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

/** In one pass, or a placeholder in a name would be replaced too. */
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

/** Adds the last line of an origin-bound code (WICG sms-one-time-codes §2), unless it costs a second message. */
function withBoundCode(text: string, host: string | undefined, code: string): string {
  if (!host) return text;
  const bound = `${text.trimEnd()}\n@${host} #${code}`;
  return segments(bound) === 1 ? bound : text;
}
