import { escapeHtml, oneLine } from '../html.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { loginTexts } from '../texts/languages.ts';
import { pageTexts } from '../texts/link-texts.ts';
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
  const texts = pageTexts[language];
  return askPage(input, {
    heading: texts.continueHeading(oneLine(input.brand.name)),
    body: replaces ? escapeHtml(texts.switchBody(replaces.from, replaces.to)) : texts.continueBody,
    button: texts.continueButton,
    tip: replaces ? texts.switchWarning : texts.continueWarning,
    notice: noticeBox(loginTexts[language], input),
  });
}
