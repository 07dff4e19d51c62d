import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { page } from '../parts/frame.ts';
import { loginTexts } from '../texts/languages.ts';
import type { DeadEndKey } from '../texts/login-texts.ts';

/** For a failed login that has no redirect URI to return an error to. */
export function consentlessErrorPage(input: {
  readonly language: Language;
  /** The application's name, if known. */
  readonly brand?: Brand | undefined;
  readonly key: DeadEndKey;
}): string {
  const { heading, body, hint } = loginTexts[input.language].deadEnds[input.key];
  return page({
    language: input.language,
    brand: input.brand,
    title: heading,
    content: `<h1>${heading}</h1>
<p>${body}</p>
<p class="soft">${hint}</p>`,
  });
}
