import { escapeHtml } from '../html.ts';
import { form } from '../parts/form.ts';
import { renderAlternatives, resendForm, type WaitingInput } from '../parts/resend.ts';
import { stepPage } from '../parts/step.ts';
import { loginTexts } from '../texts/all.ts';

export interface ClosedCodePageInput extends WaitingInput {
  /** Seconds until codes are accepted again. Undefined if the login ends before codes are accepted again. */
  readonly retryAfterSeconds: number | undefined;
  /** Form that sends a login link instead of a code. `identifier` is set if the login has no user yet. */
  readonly link?: { readonly action: string; readonly identifier?: string } | undefined;
}

/**
 * Renders the page shown after too many wrong codes. The page has no code field. It says which other methods work now, and when
 * codes will work again, or that the login ends before that. The page is the same for known and unknown addresses.
 */
export function closedCodePage(input: ClosedCodePageInput): string {
  const { csrf, link, retryAfterSeconds } = input;
  const texts = loginTexts[input.language];
  const error =
    retryAfterSeconds === undefined
      ? ({ key: 'codes_off' } as const)
      : ({ key: 'locked', retryAfterSeconds } as const);
  const resend =
    retryAfterSeconds === undefined
      ? ''
      : resendForm({ ...input, resendAfterSeconds: retryAfterSeconds }, texts.resendCode, texts);
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
  return stepPage(
    { ...input, error },
    {
      ...(retryAfterSeconds === undefined
        ? { heading: texts.codesOffHeading }
        : {
            heading: texts.codeClosedHeading,
            lead: `<p>${sendLink ? texts.codeClosedLink : texts.codeClosedOther}</p>`,
          }),
      content: `${sendLink ?? ''}\n${renderAlternatives(input, resend, texts)}`,
    },
  );
}
