import type { Language } from '../language.ts';
import { page } from '../parts/frame.ts';
import { pageTexts } from '../texts/link-texts.ts';

/** For an unknown or deleted link: its application is unknown too. */
export function linkUnknownPage({ language }: { readonly language: Language }): string {
  const texts = pageTexts[language];
  return page({
    language,
    title: texts.linkUnknownHeading,
    content: `<h1>${texts.linkUnknownHeading}</h1>
<p>${texts.linkUnknownBody}</p>
<p class="soft">${texts.linkUnknownHint}</p>`,
  });
}
