import { escapeHtml, oneLine } from '../html.ts';
import { exitsBelow } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { type PhoneCountries, phoneField } from '../parts/phone-field.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface PhonePageInput extends FormTarget, StepInput {
  /** For a login: posts `identifier` and `method`. Else the number is added to the user: posts `phone_number`. */
  readonly identifies?: boolean | undefined;
  /** The last input. */
  readonly phoneNumber?: string | undefined;
  readonly countries: PhoneCountries;
}

/** Asks for a phone number and its country. */
export function phonePage(input: PhonePageInput): string {
  const { language, brand, error, identifies, phoneNumber: typed, countries } = input;
  const texts = loginTexts[language];
  const heading = identifies ? texts.countryHeading : texts.phoneHeading;
  const lead = identifies
    ? ''
    : `<p dir="auto">${escapeHtml(fill(texts.phoneBody, { app: oneLine(brand.name) }))}</p>`;
  const name = identifies ? 'identifier' : 'phone_number';
  const method = identifies ? ' name="method" value="sms"' : '';
  return stepPage(input, {
    heading,
    lead,
    kind: 'phone',
    content: `${form(
      input,
      `${phoneField({ language, name, autocomplete: 'tel', typed, countries, error }, texts)}
<button class="button"${method}>${texts.sendCodeBySms}</button>`,
    )}${exitsBelow(input, texts)}`,
  });
}
