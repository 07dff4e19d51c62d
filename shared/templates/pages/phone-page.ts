import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsBelow } from '../parts/exits.ts';
import { errorBox, errorText, type FormTarget, form, type PageError, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { type PhoneCountries, phoneField } from '../parts/phone-field.ts';
import { type ReplacedAddress, replacedLine } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { type LoginTexts, loginTexts, newAddressTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface PhonePageInput extends FormTarget, Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  /** For a login: posts `identifier` and `method`. Else the number is added to the user: posts `phone_number`. */
  readonly identifies?: boolean | undefined;
  /** From the account page: the number that it replaces, if any. */
  readonly change?: { readonly replaces: ReplacedAddress | undefined } | undefined;
  /** The last input. */
  readonly phoneNumber?: string | undefined;
  readonly countries: PhoneCountries;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

function wordsOf({ language, brand, identifies, change }: PhonePageInput, texts: LoginTexts) {
  if (identifies) return { heading: texts.countryHeading, body: '' };
  if (change)
    return {
      heading: newAddressTexts[language].phoneHeading,
      body: replacedLine(change.replaces, language),
    };
  const body = `<p dir="auto">${escapeHtml(fill(texts.phoneBody, { app: oneLine(brand.name) }))}</p>\n`;
  return { heading: texts.phoneHeading, body };
}

/** Asks for a phone number and its country. */
export function phonePage(input: PhonePageInput): string {
  const { language, brand, error, identifies, phoneNumber: typed, countries } = input;
  const texts = loginTexts[language];
  const { heading, body } = wordsOf(input, texts);
  const name = identifies ? 'identifier' : 'phone_number';
  const method = identifies ? ' name="method" value="sms"' : '';
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
${body}${noticeBox(texts, input)}${errorBox(errorText(texts, language, error, 'phone'))}${form(
  input,
  `${phoneField({ language, name, autocomplete: 'tel', typed, countries, error }, texts)}
<button class="button"${method}>${texts.sendCodeBySms}</button>`,
)}${exitsBelow(input, texts)}`,
  });
}
