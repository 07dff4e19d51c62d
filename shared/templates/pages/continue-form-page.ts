import { escapeHtml, oneLine } from '../html.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { linkTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

/**
 * Renders the Continue page of an emailed link that changes something, because mail scanners open links but do not submit
 * forms. `replaces` contains the masked names of the account in use and of the account that replaces it. `resumes` is set if
 * the user reloaded the last step of a login instead of opening a link.
 */
export function continueFormPage(
  input: AskPageInput & {
    readonly replaces?: { readonly from: string; readonly to: string } | undefined;
    readonly resumes?: true;
    readonly notice?: PageNotice | undefined;
  },
): string {
  const { language, replaces, resumes } = input;
  const texts = linkTexts[language];
  const app = oneLine(input.brand.name);
  const opened = resumes ? escapeHtml(fill(texts.resumeBody, { app })) : texts.continueBody;
  const warning = resumes ? undefined : texts.continueWarning;
  return askPage(input, {
    heading: fill(texts.continueHeading, { app }),
    body: replaces ? escapeHtml(fill(texts.switchBody, replaces)) : opened,
    button: texts.continueButton,
    tip: replaces ? texts.switchWarning : warning,
    notice: noticeBox(loginTexts[language], input),
  });
}
