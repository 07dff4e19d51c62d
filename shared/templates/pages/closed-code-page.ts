import { escapeHtml } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsOf } from '../parts/exits.ts';
import { errorBox, errorText, form, titleOf } from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { changeForm, resendForm } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/all.ts';

export interface ClosedCodePageInput extends Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  readonly csrf: string;
  /** When codes work again; undefined: not in this login. */
  readonly retryAfterSeconds: number | undefined;
  readonly resendAction: string;
  /** The form that sends a link; with the address where this login has no user yet. */
  readonly link?: { readonly action: string; readonly identifier?: string } | undefined;
  readonly changeAction?: string | undefined;
  readonly secondFactor?: boolean | undefined;
  readonly notice?: PageNotice | undefined;
}

/** After too many wrong codes: no field, what works now, and when codes do. The same for known and unknown addresses. */
export function closedCodePage(input: ClosedCodePageInput): string {
  const { language, brand, csrf, link, retryAfterSeconds } = input;
  const texts = loginTexts[language];
  const error =
    retryAfterSeconds === undefined
      ? ({ key: 'codes_off' } as const)
      : ({ key: 'locked', retryAfterSeconds } as const);
  const resend = resendForm(
    {
      ...input,
      action: input.resendAction,
      label: texts.resendCode,
      resendAfterSeconds: retryAfterSeconds ?? 0,
    },
    texts,
  );
  const hidden =
    link?.identifier === undefined
      ? ''
      : `<input type="hidden" name="identifier" value="${escapeHtml(link.identifier)}">\n`;
  const sendLink =
    link &&
    form(
      { action: link.action, csrf },
      `${hidden}<button class="button" name="method" value="link">${texts.sendLink}</button>`,
    );
  return page({
    language,
    brand,
    title: titleOf(texts, texts.codeClosedHeading, error),
    script: FORM_SCRIPT,
    content: `<h1>${texts.codeClosedHeading}</h1>
<p>${sendLink ? texts.codeClosedLink : texts.codeClosedOther}</p>
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error))}${sendLink ?? ''}
<div class="aside">
${retryAfterSeconds === undefined ? '' : resend}${changeForm(input, texts)}${exitsOf(input, texts)}
</div>`,
  });
}
