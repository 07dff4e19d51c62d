import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { LoginTexts } from '../texts/all.ts';
import { describedBy, type PageError } from './form.ts';

/**
 * Countries from which the user chooses beside a phone number. The list is as large as the rest of the page, so only phone
 * fields contain it.
 */
export interface PhoneCountries {
  readonly all: readonly {
    /** ISO 3166-1 code of the country. */
    readonly code: string;
    /** International calling code without the plus sign. */
    readonly callingCode: string;
  }[];
  /** Code of the country that the user has chosen, or that the browser's languages suggest. */
  readonly chosen?: string | undefined;
}

interface PhoneField {
  readonly language: Language;
  readonly name: 'identifier' | 'phone_number';
  readonly autocomplete: string;
  readonly typed: string | undefined;
  readonly countries: PhoneCountries;
  readonly error?: PageError | undefined;
}

/**
 * Renders the countries sorted by name. In right-to-left languages, a directional mark keeps a name before its calling code.
 */
function options(language: Language, { all, chosen }: PhoneCountries): string {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return all
    .map(({ code, callingCode }) => ({ code, callingCode, name: names.of(code) ?? code }))
    .sort((one, other) => compare(one.name, other.name))
    .map(
      ({ code, callingCode, name }) =>
        `<option value="${code}"${code === chosen ? ' selected' : ''}>${escapeHtml(name)} \u200e+${callingCode}`,
    )
    .join('\n');
}

/**
 * Renders fields for a phone number and its country, posted as `country`. A number that begins with a plus sign needs no
 * country.
 */
export function phoneField(
  { language, name, autocomplete, typed, countries, error }: PhoneField,
  texts: LoginTexts,
): string {
  return `<label for="country">${texts.countryLabel}</label>
<select id="country" name="country" autocomplete="country">
<option value="">${texts.countryNone}
${options(language, countries)}
</select>
<label for="${name}">${texts.fieldLabel.phone}</label>
<input id="${name}" name="${name}" type="tel" inputmode="tel" autocomplete="${autocomplete}" maxlength="40" required autofocus value="${escapeHtml(oneLine(typed ?? ''))}"${describedBy(error, 'hint')}>
<p class="soft hint" id="hint">${texts.countryHint}</p>`;
}
