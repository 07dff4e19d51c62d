import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import { type FieldKind, loginTexts } from '../texts/all.ts';
import type { Brand } from './brand.ts';
import type { Exits } from './exits.ts';
import { buildPageTitle, errorBox, errorText, type PageError } from './form.ts';
import { renderPage } from './frame.ts';
import { noticeBox, type PageNotice } from './notice.ts';
import { type PasskeySignal, passkeySignals } from './passkey-form.ts';
import { FORM_SCRIPT } from './scripts.ts';

/** Input that all pages of a login have in common. */
export interface StepInput extends Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  /** Content of the box above the form: the application's message and the data to approve. */
  readonly notice?: PageNotice | undefined;
  readonly signals?: readonly PasskeySignal[] | undefined;
  /** Error of the last form submission. */
  readonly error?: PageError | undefined;
}

interface Step {
  readonly heading: string;
  /** True if the heading is a text of the application, whose writing direction may differ from that of the page. */
  readonly isOwnHeading?: boolean;
  /** HTML below the heading. */
  readonly lead?: string;
  /** Type of identifier for which the field asks. It selects the wording of the error. */
  readonly kind?: FieldKind;
  /** Style sheets of this page, in addition to those of every page. */
  readonly styles?: readonly string[];
  /** HTML below the notice and the error. */
  readonly content: string;
}

/** Renders a page of a login with its heading, the notice, the error of the last submission, and its forms. */
export function stepPage(
  input: StepInput,
  { heading, isOwnHeading, lead, kind, styles, content }: Step,
): string {
  const { language, brand, error } = input;
  const texts = loginTexts[language];
  return renderPage({
    language,
    brand,
    title: buildPageTitle(texts, heading, error),
    script: FORM_SCRIPT,
    styles,
    content: `<h1${isOwnHeading ? ' dir="auto"' : ''}>${escapeHtml(heading)}</h1>${lead ? `\n${lead}` : ''}
${passkeySignals(input.signals)}${noticeBox(texts, input)}${errorBox(errorText(texts, language, error, kind))}${content}`,
  });
}
