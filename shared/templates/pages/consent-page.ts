import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import { exitsBelow } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { commandLineTexts, consentTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface ConsentPageInput extends FormTarget, StepInput {
  readonly denyAction: string;
  /** Of the client's document: what the document calls itself could be anyone's name. */
  readonly host: string;
  /** The host of the redirect URI; undefined: an app on this device. */
  readonly leadsTo: string | undefined;
  /** Who is logged in. */
  readonly person: string | undefined;
  readonly scopes: readonly {
    readonly name: string;
    readonly sentence?: Readonly<Partial<Record<Language, string>>>;
    readonly acr?: 'mfa';
  }[];
  /** The client wants to stay connected. */
  readonly asksToStay: boolean;
}

const bold = (text: string) => `<strong dir="ltr">${escapeHtml(oneLine(text))}</strong>`;

const box = (name: string, value: string, content: string, isOn: boolean) =>
  `<label class="check"><input type="checkbox" name="${name}" value="${escapeHtml(value)}"${isOn ? ' checked' : ''}><span dir="auto">${content}</span></label>`;

const OF_SERVICE = ['openid', 'profile', 'email', 'phone'] as const;

/** What a scope says to people: in their language, else in English, else in any, else its name. */
function sentenceOf(language: Language, { name, sentence = {} }: ConsentPageInput['scopes'][number]): string {
  const own = OF_SERVICE.find((each) => each === name);
  if (own) return consentTexts[language][own];
  const [first = name] = Object.values(sentence);
  return escapeHtml(oneLine(sentence[language] ?? sentence.en ?? first));
}

/** Asks a person what a client by document may do. Posts `scope` once for each, and `stay`. */
export function consentPage(input: ConsentPageInput): string {
  const { language, brand, csrf, action, denyAction, host, leadsTo, person, scopes, asksToStay } = input;
  const texts = consentTexts[language];
  const signedIn =
    person === undefined
      ? ''
      : `\n<p class="soft">${fill(texts.signedIn, { person: `<bdi>${escapeHtml(person)}</bdi>` })}</p>`;
  const goesOn = leadsTo === undefined ? texts.onDevice : fill(texts.goesOn, { target: bold(leadsTo) });
  const boxes = scopes.map((scope) => {
    // What takes a second factor is not taken by a click in passing.
    const isGuarded = scope.acr === 'mfa';
    const second = isGuarded ? `<br><span class="soft">${texts.secondFactor}</span>` : '';
    return box('scope', scope.name, `${sentenceOf(language, scope)}${second}`, !isGuarded);
  });
  const list =
    boxes.length === 0
      ? ''
      : `<fieldset class="notice"><legend>${texts.may}</legend>\n${boxes.join('\n')}\n</fieldset>\n`;
  const stay = asksToStay ? `${box('stay', 'yes', texts.stay, true)}\n` : '';
  return stepPage(input, {
    heading: fill(texts.heading, { client: host }),
    isOwnHeading: true,
    lead: `<p dir="auto">${escapeHtml(fill(texts.body, { app: oneLine(brand.name) }))}</p>
<p>${goesOn}</p>${signedIn}`,
    content: `${form({ action, csrf }, `${list}${stay}<button class="button">${texts.allow}</button>`)}
${form({ action: denyAction, csrf }, `<button class="button second">${texts.deny}</button>`)}
<p class="soft">${texts.tip}</p>`,
  });
}

/** Asks an operator whether a program on their computer may act as them (RFC 8252 §8.6). */
export function commandLinePage(input: FormTarget & StepInput): string {
  const { language, action, csrf } = input;
  const { heading, body, button } = commandLineTexts[language];
  return stepPage(input, {
    heading,
    lead: `<p>${fill(body, { command: '<code dir="ltr">otl login</code>' })}</p>`,
    content: `${form({ action, csrf }, `<button class="button">${button}</button>`)}${exitsBelow(input, loginTexts[language])}`,
  });
}
