import { escapeHtml } from '../html.ts';
import type { LoginTexts } from '../texts/login-texts.ts';

/** A box above a form. Plain texts of the application. */
export interface PageNotice {
  readonly customMessage?: string | undefined;
  /** What kind of transaction is approved. */
  readonly approvalType?: string | undefined;
  readonly approvalData?: Readonly<Record<string, string>> | undefined;
}

/** The application's text and the approved data. Empty without either. */
export function noticeBox(texts: LoginTexts, notice: PageNotice | undefined): string {
  const { customMessage, approvalType, approvalData = {} } = notice ?? {};
  const message =
    customMessage === undefined ? '' : `<p class="notice" dir="auto">${escapeHtml(customMessage)}</p>\n`;
  const entries = Object.entries(approvalData).map(
    ([name, value]) =>
      `<div><dt dir="auto">${escapeHtml(name)}</dt><dd dir="auto">${escapeHtml(value)}</dd></div>`,
  );
  const label =
    approvalType === undefined ? '' : `<p class="soft" dir="auto">${escapeHtml(approvalType)}</p>\n`;
  if (entries.length === 0 && label === '') return message;
  return `${message}<section class="notice" aria-labelledby="approval"><h2 id="approval">${texts.approvalHeading}</h2>
${label}<dl>${entries.join('')}</dl>
<p class="soft">${texts.approvalTip}</p></section>\n`;
}
