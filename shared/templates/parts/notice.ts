import { escapeHtml, oneLine } from '../html.ts';
import type { LoginTexts } from '../texts/all.ts';
import type { Brand } from './brand.ts';

/** A box above a form. Plain texts of the application. */
export interface PageNotice {
  readonly customMessage?: string | undefined;
  /** What kind of transaction is approved. */
  readonly approvalType?: string | undefined;
  readonly approvalData?: Readonly<Record<string, string>> | undefined;
}

/**
 * A quotation: the text comes in an address that anyone can build, so it must not pass for ours. An address in it could be
 * typed, and an override of direction would turn what follows it around.
 */
function quotation(text: string, brand: Brand | undefined): string {
  const shown = text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi, '…');
  const by = oneLine(brand?.name ?? '');
  return `<figure class="notice"><figcaption class="soft" dir="auto">${escapeHtml(by)}:</figcaption>
<blockquote dir="auto">${escapeHtml(shown)}</blockquote></figure>\n`;
}

/** The application's text and the approved data. Empty without either. */
export function noticeBox(
  texts: LoginTexts,
  { notice, brand }: { readonly notice?: PageNotice | undefined; readonly brand?: Brand | undefined },
): string {
  const { customMessage, approvalType, approvalData = {} } = notice ?? {};
  const message = customMessage === undefined ? '' : quotation(customMessage, brand);
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
