import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderPage } from '../parts/frame.ts';
import { logoutTexts } from '../texts/all.ts';

/** Renders the page shown after a logout that does not redirect to the application. */
export function loggedOutPage(input: {
  readonly language: Language;
  readonly brand?: Brand | undefined;
}): string {
  const texts = logoutTexts[input.language];
  return renderPage({
    language: input.language,
    brand: input.brand,
    title: texts.signedOutHeading,
    content: `<h1>${texts.signedOutHeading}</h1>
<p>${texts.signedOutBody}</p>`,
  });
}
