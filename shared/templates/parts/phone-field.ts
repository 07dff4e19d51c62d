import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { LoginTexts } from '../texts/all.ts';
import { describedBy, type PageError } from './form.ts';

/** The list of countries beside a number. It weighs as much as the rest of a page, so no other field has it. */
export interface PhoneCountries {
  readonly all: readonly {
    /** ISO 3166-1. */
    readonly code: string;
    /** Without the plus sign. */
    readonly callingCode: string;
  }[];
  /** The code of the one that was chosen, or that the browser is probably in. */
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

/** In the order of their names. A name and its calling code keep their order in languages from right to left. */
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

/** Asks for a number and its country, which is posted as `country`. A number with a plus sign needs none. */
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
