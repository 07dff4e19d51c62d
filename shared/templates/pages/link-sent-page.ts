import { renderResendHelp, renderSent, type SentInput } from '../parts/resend.ts';
import { stepPage } from '../parts/step.ts';
import { loginTexts } from '../texts/all.ts';

/** Renders the page that says where the login link was sent. The page is the same for known and unknown addresses. */
export function linkSentPage(input: SentInput): string {
  const texts = loginTexts[input.language];
  return stepPage(input, {
    heading: texts.checkEmailHeading,
    lead: renderSent(input, 'link', texts, ` ${texts.linkTip}`),
    content: renderResendHelp(input, texts.resendLink, texts),
  });
}
