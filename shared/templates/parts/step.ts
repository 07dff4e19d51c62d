import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import { type FieldKind, loginTexts } from '../texts/all.ts';
import type { Brand } from './brand.ts';
import type { Exits } from './exits.ts';
import { errorBox, errorText, type PageError, titleOf } from './form.ts';
import { page } from './frame.ts';
import { noticeBox, type PageNotice } from './notice.ts';
import { type PasskeySignal, passkeySignals } from './passkey-form.ts';
import { FORM_SCRIPT } from './scripts.ts';

/** What every page of a login can have. */
export interface StepInput extends Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
  readonly signals?: readonly PasskeySignal[] | undefined;
  /** Of the last submit. */
  readonly error?: PageError | undefined;
}

interface Step {
  readonly heading: string;
  /** The heading has words of the application. */
  readonly isOwnHeading?: boolean;
  /** HTML below the heading. */
  readonly lead?: string;
  /** What the field asks for, for the words of the error. */
  readonly kind?: FieldKind;
  /** HTML below the notice and the error. */
  readonly content: string;
}

/** A page of a login: its heading, the notice, the error of the last submit, and its forms. */
export function stepPage(input: StepInput, { heading, isOwnHeading, lead, kind, content }: Step): string {
  const { language, brand, error } = input;
  const texts = loginTexts[language];
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1${isOwnHeading ? ' dir="auto"' : ''}>${escapeHtml(heading)}</h1>${lead ? `\n${lead}` : ''}
${passkeySignals(input.signals)}${noticeBox(texts, input)}${errorBox(errorText(texts, language, error, kind))}${content}`,
  });
}
