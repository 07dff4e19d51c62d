import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsOf } from '../parts/exits.ts';
import { errorBox, errorText, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { nothingThere, type SentMessage, sentLine } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';

export interface LinkSentPageInput extends SentMessage, Omit<Exits, 'csrf' | 'brand'> {
  readonly brand: Brand;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
}

/** Says where to look for the link. Looks the same for known and unknown addresses. */
export function linkSentPage(input: LinkSentPageInput): string {
  const { language, brand, error } = input;
  const texts = loginTexts[language];
  const heading = texts.checkEmailHeading;
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p>${sentLine(input, 'link', texts)} ${texts.linkTip}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error))}<div class="aside">
${nothingThere(input, texts.resendLink, texts)}${exitsOf(input, texts)}
</div>`,
  });
}
