import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsOf } from '../parts/exits.ts';
import { errorBox, errorText, type PageError, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { addressShown, changeForm, resendForm } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface LinkSentPageInput extends Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  readonly csrf: string;
  /** As typed in this browser; else made by `maskEmail`. */
  readonly shownTo: string;
  readonly resendAction: string;
  /** 0: at once. */
  readonly resendAfterSeconds: number;
  readonly changeAction?: string | undefined;
  /** After a first factor the page may say that a link was sent. */
  readonly secondFactor?: boolean | undefined;
  /** An address without an account gets one. */
  readonly allowsSignUp?: boolean | undefined;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

/** Says where to look for the link. Looks the same for known and unknown addresses. */
export function linkSentPage(input: LinkSentPageInput): string {
  const { language, brand, error, secondFactor } = input;
  const texts = loginTexts[language];
  const heading = texts.checkEmailHeading;
  const isSent = secondFactor || input.allowsSignUp;
  const sent = fill(isSent ? texts.linkSent : texts.linkOnItsWay, { to: addressShown(input.shownTo) });
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1>${heading}</h1>
<p>${sent} ${texts.linkTip}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error))}<div class="aside">
${resendForm({ ...input, action: input.resendAction, label: texts.resendLink }, texts)}${changeForm(input, texts)}${exitsOf(input, texts)}
</div>`,
  });
}
