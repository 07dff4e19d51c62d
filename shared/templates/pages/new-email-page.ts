import { escapeHtml, oneLine } from '../html.ts';
import { exitsBelow } from '../parts/exits.ts';
import { describedBy, type FormTarget, form } from '../parts/form.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { loginTexts, newEmailTexts } from '../texts/all.ts';

/** Asks for another email address of the user. Posts `identifier`. */
export function newEmailPage(
  input: FormTarget &
    StepInput & {
      readonly typed?: string | undefined;
      /** The application has links alone. */
      readonly byLink?: boolean | undefined;
    },
): string {
  const { language, typed = '', error } = input;
  const texts = loginTexts[language];
  const { heading, byCode, byLink, told } = newEmailTexts[language];
  const { body, button } = input.byLink ? byLink : byCode;
  return stepPage(input, {
    heading,
    lead: `<p>${body} ${told}</p>`,
    kind: 'email',
    content: `${form(
      input,
      `<label for="identifier">${texts.fieldLabel.email}</label>
<input id="identifier" name="identifier" type="email" autocomplete="email" maxlength="320" required autofocus value="${escapeHtml(oneLine(typed))}"${describedBy(error)}>
<button class="button">${button}</button>`,
    )}${exitsBelow(input, texts)}`,
  });
}
