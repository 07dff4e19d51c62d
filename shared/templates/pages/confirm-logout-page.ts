import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from './brand.ts';
import { type FormTarget, form } from './form.ts';
import { page } from './frame.ts';
import { loginTexts } from './login-texts.ts';
import { FORM_SCRIPT } from './scripts.ts';

/** Asks before a logout that nobody proves to be meant (OpenID Connect RP-Initiated Logout 1.0 §2). */
export function confirmLogoutPage(
  input: FormTarget & { readonly language: Language; readonly brand: Brand },
): string {
  const { language, brand } = input;
  const texts = loginTexts[language];
  const heading = texts.signOutHeading(oneLine(brand.name));
  return page({
    language,
    brand,
    title: heading,
    script: FORM_SCRIPT,
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>
<p>${texts.signOutBody}</p>
${form(input, `<button class="button">${texts.signOutButton}</button>`)}
<p class="soft">${texts.signOutTip}</p>`,
  });
}
