import type { ProviderName } from '../../records/providers.ts';
import { escapeHtml } from '../html.ts';
import { renderExitSection } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { chooseProviderLabel, providerButton } from '../parts/provider-button.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { connectTexts, loginTexts } from '../texts/all.ts';
import { fillAll } from '../texts/fill.ts';

/** Renders the page from which the user goes to a provider to connect an account there. Posts `method`. */
export function connectPage(input: FormTarget & StepInput & { readonly provider: ProviderName }): string {
  const { language, provider, brand } = input;
  const texts = loginTexts[language];
  const { heading, body } = fillAll(connectTexts[language], {
    provider: chooseProviderLabel(provider, brand),
  });
  return stepPage(input, {
    heading,
    lead: `<p>${escapeHtml(body)}</p>`,
    content: `${form(input, providerButton(provider, texts, brand))}${renderExitSection(input, texts)}`,
  });
}
