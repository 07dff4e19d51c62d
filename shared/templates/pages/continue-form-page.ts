import { escapeHtml, oneLine } from '../html.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { linkTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

/**
 * The Continue page of a mailed link that changes something: mail scanners follow links, and do not submit forms. With
 * `replaces` it names, masked, the account that another one replaces.
 */
export function continueFormPage(
  input: AskPageInput & {
    readonly replaces?: { readonly from: string; readonly to: string } | undefined;
    readonly notice?: PageNotice | undefined;
  },
): string {
  const { language, replaces } = input;
  const texts = linkTexts[language];
  return askPage(input, {
    heading: fill(texts.continueHeading, { app: oneLine(input.brand.name) }),
    body: replaces ? escapeHtml(fill(texts.switchBody, replaces)) : texts.continueBody,
    button: texts.continueButton,
    tip: replaces ? texts.switchWarning : texts.continueWarning,
    notice: noticeBox(loginTexts[language], input),
  });
}
