import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import { renderExitSection } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { commandLineTexts, consentTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface ConsentPageInput extends FormTarget, StepInput {
  readonly denyAction: string;
  /**
   * Host of the client's metadata document. The page shows it because the document may contain any name, even that of another
   * company.
   */
  readonly host: string;
  /** Host of the redirect URI. Undefined if the URI belongs to an app on this device. */
  readonly leadsTo: string | undefined;
  /** Name or address of the user who is logged in. */
  readonly person: string | undefined;
  readonly scopes: readonly {
    readonly name: string;
    readonly sentence?: Readonly<Partial<Record<Language, string>>>;
    readonly acr?: 'mfa';
  }[];
  /** True if the client asks for continued access (`offline_access`). */
  readonly asksOfflineAccess: boolean;
}

const bold = (text: string) => `<strong dir="ltr">${escapeHtml(oneLine(text))}</strong>`;

const box = (name: string, value: string, content: string, isOn: boolean) =>
  `<label class="check"><input type="checkbox" name="${name}" value="${escapeHtml(value)}"${isOn ? ' checked' : ''}><span dir="auto">${content}</span></label>`;

const BUILT_IN_SCOPES = ['openid', 'profile', 'email', 'phone'] as const;

/**
 * Returns the description of a scope: in the user's language, otherwise in English, otherwise in any language. Without a
 * description, returns the scope's name.
 */
function describeScope(
  language: Language,
  { name, sentence = {} }: ConsentPageInput['scopes'][number],
): string {
  const own = BUILT_IN_SCOPES.find((each) => each === name);
  if (own) return consentTexts[language][own];
  const [first = name] = Object.values(sentence);
  return escapeHtml(oneLine(sentence[language] ?? sentence.en ?? first));
}

/**
 * Renders the consent page of a client that is identified by its metadata document. Posts `scope` once for each scope that the
 * user grants, and `stay` for continued access.
 */
export function consentPage(input: ConsentPageInput): string {
  const { language, brand, csrf, action, denyAction, host, leadsTo, person, scopes, asksOfflineAccess } =
    input;
  const texts = consentTexts[language];
  const signedIn =
    person === undefined
      ? ''
      : `\n<p class="soft">${fill(texts.signedIn, { person: `<bdi>${escapeHtml(person)}</bdi>` })}</p>`;
  const goesOn = leadsTo === undefined ? texts.onDevice : fill(texts.goesOn, { target: bold(leadsTo) });
  const boxes = scopes.map((scope) => {
    // A scope that requires a second factor is not preselected, so that users do not grant it without noticing.
    const isGuarded = scope.acr === 'mfa';
    const second = isGuarded ? `<br><span class="soft">${texts.secondFactor}</span>` : '';
    return box('scope', scope.name, `${describeScope(language, scope)}${second}`, !isGuarded);
  });
  const list =
    boxes.length === 0
      ? ''
      : `<fieldset class="notice"><legend>${texts.may}</legend>\n${boxes.join('\n')}\n</fieldset>\n`;
  const stay = asksOfflineAccess ? `${box('stay', 'yes', texts.stay, true)}\n` : '';
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

/** Renders the page that asks an operator whether a program on their computer may act on their behalf (RFC 8252 §8.6). */
export function commandLinePage(input: FormTarget & StepInput): string {
  const { language, action, csrf } = input;
  const { heading, body, button } = commandLineTexts[language];
  return stepPage(input, {
    heading,
    lead: `<p>${fill(body, { command: '<code dir="ltr">otl login</code>' })}</p>`,
    content: `${form({ action, csrf }, `<button class="button">${button}</button>`)}${renderExitSection(input, loginTexts[language])}`,
  });
}
