import { addressShown, resendForm, type SentInput, waysOut } from '../parts/resend.ts';
import { stepPage } from '../parts/step.ts';
import { loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

/** Says where to look for the link. Looks the same for known and unknown addresses. */
export function linkSentPage(input: SentInput): string {
  const texts = loginTexts[input.language];
  const onItsWay = input.allowsSignUp ? texts.linkToAll : texts.linkOnItsWay;
  const sent = fill(input.secondFactor ? texts.linkSent : onItsWay, { to: addressShown(input.shownTo) });
  return stepPage(input, {
    heading: texts.checkEmailHeading,
    lead: `<p>${sent}</p>\n<p>${texts.linkTip}</p>`,
    content: waysOut(input, resendForm(input, texts.resendLink, texts), texts),
  });
}
