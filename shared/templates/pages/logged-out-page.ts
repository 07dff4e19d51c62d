import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderHomeButton } from '../parts/exits.ts';
import { renderPage } from '../parts/frame.ts';
import { logoutTexts } from '../texts/all.ts';

/** Renders the page shown after a logout that does not redirect to the application. */
export function loggedOutPage(input: {
  readonly language: Language;
  readonly brand?: Brand | undefined;
}): string {
  const { language, brand } = input;
  const texts = logoutTexts[language];
  return renderPage({
    language,
    brand,
    title: texts.signedOutHeading,
    content: `<h1>${texts.signedOutHeading}</h1>
<p>${texts.signedOutBody}</p>${renderHomeButton(brand, language)}`,
  });
}
