import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderPage } from '../parts/frame.ts';
import { POST_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';

/**
 * Renders the page that posts an authorization response to the application (OAuth 2.0 Form Post Response Mode 1.0). The form
 * submits itself; without JavaScript the user presses the button.
 * @throws if the redirect URI is not `http` or `https`
 */
export function formPostPage(input: {
  readonly language: Language;
  readonly brand?: Brand | undefined;
  readonly redirectUri: string;
  readonly parameters: Readonly<Record<string, string>>;
}): string {
  const { protocol } = new URL(input.redirectUri);
  if (!/^https?:$/.test(protocol)) throw new Error(`Nothing can be posted to a ${protocol} address`);
  const texts = loginTexts[input.language];
  const fields = Object.entries(input.parameters).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return renderPage({
    language: input.language,
    brand: input.brand,
    title: texts.formPostHeading,
    script: POST_SCRIPT,
    content: `<h1>${texts.formPostHeading}</h1>
<p>${texts.formPostBody}</p>
<form method="post" action="${escapeHtml(input.redirectUri)}">
${fields.join('\n')}
<button class="button">${texts.continueButton}</button>
</form>`,
  });
}
