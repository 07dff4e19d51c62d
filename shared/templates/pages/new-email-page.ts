import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsBelow } from '../parts/exits.ts';
import {
  describedBy,
  errorBox,
  errorText,
  type FormTarget,
  form,
  type PageError,
  titleOf,
} from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { type ReplacedAddress, replacedLine } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts, newAddressTexts } from '../texts/all.ts';

/** Asks for another email address of the user. Posts `identifier`. */
export function newEmailPage(
  input: FormTarget &
    Omit<Exits, 'csrf' | 'brand'> & {
      readonly language: Language;
      readonly brand: Brand;
      readonly typed?: string | undefined;
      /** The application has links alone. */
      readonly byLink?: boolean | undefined;
      readonly replaces?: ReplacedAddress | undefined;
      readonly error?: PageError | undefined;
    },
): string {
  const { language, brand, typed = '', error } = input;
  const texts = loginTexts[language];
  const { heading, sendCode, sendLink } = newAddressTexts[language];
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
${replacedLine(input.replaces, language)}${errorBox(errorText(texts, language, error, 'email'))}${form(
  input,
  `<label for="identifier">${texts.fieldLabel.email}</label>
<input id="identifier" name="identifier" type="email" autocomplete="email" maxlength="320" required autofocus value="${escapeHtml(oneLine(typed))}"${describedBy(error)}>
<button class="button">${input.byLink ? sendLink : sendCode}</button>`,
)}${exitsBelow(input, texts)}`,
  });
}
