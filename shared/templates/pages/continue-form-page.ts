import { escapeHtml, oneLine } from '../html.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { linkTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

/**
 * Renders the Continue page of a mailed link that changes something: mail scanners follow links, and do not submit forms. With
 * `replaces` it names, masked, the account that another one replaces. With `resumes` no link was opened: the last step of a
 * login was reloaded.
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
