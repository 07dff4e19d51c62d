import { escapeHtml, oneLine } from '../html.ts';
import { renderExitSection } from '../parts/exits.ts';
import { describedBy, type FormTarget, form } from '../parts/form.ts';
import { type ReplacedAddress, renderReplacedAddress } from '../parts/resend.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { loginTexts, newAddressTexts } from '../texts/all.ts';

/** Renders the page on which the user enters another email address. Posts `identifier`. */
export function newEmailPage(
  input: FormTarget &
    StepInput & {
      readonly typed?: string | undefined;
      /** True if the application sends links but no codes. */
      readonly byLink?: boolean | undefined;
      readonly replaces?: ReplacedAddress | undefined;
    },
): string {
  const { language, typed = '', error } = input;
  const texts = loginTexts[language];
  const { heading, sendCode, sendLink } = newAddressTexts[language];
  return stepPage(input, {
    heading,
    lead: renderReplacedAddress(input.replaces, language),
    kind: 'email',
    content: `${form(
      input,
      `<label for="identifier">${texts.fieldLabel.email}</label>
<input id="identifier" name="identifier" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="320" required autofocus value="${escapeHtml(oneLine(typed))}"${describedBy(error)}>
<button class="button">${input.byLink ? sendLink : sendCode}</button>`,
    )}${renderExitSection(input, texts)}`,
  });
}
