import { oneLine } from '../html.ts';
import { hintBroken, logoutTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

/**
 * Renders the page that asks the user to confirm a logout. It is shown if the request does not prove the user's intent, because
 * another site may have sent the browser here (OIDC RP-Initiated Logout 1.0 §2).
 */
export function confirmLogoutPage(
  input: AskPageInput & {
    /**
     * True if the request's `id_token_hint` is invalid. The page says so, because with a valid hint the user would not have to
     * confirm the logout.
     */
    readonly hintIsBroken?: boolean | undefined;
  },
): string {
  const texts = logoutTexts[input.language];
  return askPage(input, {
    heading: fill(texts.signOutHeading, { app: oneLine(input.brand.name) }),
    body: texts.signOutBody,
    button: texts.signOutButton,
    tip: texts.signOutTip,
    notice: input.hintIsBroken
      ? `<div class="notice">${hintBroken[input.language].body} <span dir="ltr" lang="en">(id_token_hint)</span></div>\n`
      : '',
  });
}
