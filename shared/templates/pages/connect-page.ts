import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsBelow } from '../parts/exits.ts';
import { errorBox, errorText, type FormTarget, form, type PageError, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { type ProviderMethod, providerNames } from '../parts/methods.ts';
import { providerButton } from '../parts/provider-button.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { connectTexts, loginTexts } from '../texts/all.ts';
import { fillAll } from '../texts/fill.ts';

/** Leads to a provider, to connect the account there with that of the user. Posts `method`. */
export function connectPage(
  input: FormTarget &
    Omit<Exits, 'csrf' | 'brand'> & {
      readonly language: Language;
      readonly brand: Brand;
      readonly provider: ProviderMethod;
      readonly error?: PageError | undefined;
    },
): string {
  const { language, brand, provider, error } = input;
  const texts = loginTexts[language];
  const { heading, body } = fillAll(connectTexts[language], { provider: providerNames[provider] });
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p>${body}</p>
${errorBox(errorText(texts, language, error))}${form(input, providerButton(provider, texts))}${exitsBelow(input, texts)}`,
  });
}
