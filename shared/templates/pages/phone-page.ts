import { escapeHtml, oneLine } from '../html.ts';
import { renderExitSection } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { type PhoneCountries, phoneField } from '../parts/phone-field.ts';
import { type ReplacedAddress, renderReplacedAddress } from '../parts/resend.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { type LoginTexts, loginTexts, newAddressTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface PhonePageInput extends FormTarget, StepInput {
  /**
   * True if the number identifies the user of a login: the page posts `identifier` and `method`. Otherwise the number is added
   * to the user, and the page posts `phone_number`.
   */
  readonly identifies?: boolean | undefined;
  /** Change that the user began on the account page, with the number that it replaces, if any. */
  readonly change?: { readonly replaces: ReplacedAddress | undefined } | undefined;
  /** Phone number that the user typed last. */
  readonly phoneNumber?: string | undefined;
  readonly countries: PhoneCountries;
}

function chooseTexts({ language, brand, identifies, change }: PhonePageInput, texts: LoginTexts) {
  if (identifies) return { heading: texts.countryHeading };
  if (change)
    return {
      heading: newAddressTexts[language].phoneHeading,
      lead: renderReplacedAddress(change.replaces, language),
    };
  const lead = `<p dir="auto">${escapeHtml(fill(texts.phoneBody, { app: oneLine(brand.name) }))}</p>`;
  return { heading: texts.phoneHeading, lead };
}

/** Renders the page that asks for a phone number and its country. */
export function phonePage(input: PhonePageInput): string {
  const { language, error, identifies, phoneNumber: typed, countries } = input;
  const texts = loginTexts[language];
  const name = identifies ? 'identifier' : 'phone_number';
  const method = identifies ? ' name="method" value="sms"' : '';
  return stepPage(input, {
    ...chooseTexts(input, texts),
    kind: 'phone',
    content: `${form(
      input,
      `${phoneField({ language, name, autocomplete: 'tel', typed, countries, error }, texts)}
<button class="button"${method}>${texts.sendCodeBySms}</button>`,
    )}${renderExitSection(input, texts)}`,
  });
}
