import { escapeHtml, oneLine } from '../html.ts';
import type { LoginTexts } from '../texts/all.ts';
import type { Brand } from './brand.ts';

/** Content of the box above a form: texts of the application, without markup. */
export interface PageNotice {
  readonly customMessage?: string | undefined;
  /** Type of the transaction that the user approves by logging in. */
  readonly approvalType?: string | undefined;
  readonly approvalData?: Readonly<Record<string, string>> | undefined;
}

/**
 * Renders the application's message as a quotation. Anyone can create a URL with such a message, so it must not look like a
 * statement of this service. URLs in the message are removed, because users might open them. Bidirectional overrides are
 * removed, because they would reverse the text that follows.
 */
function quotation(text: string, brand: Brand | undefined): string {
  const shown = text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi, '…');
  const by = oneLine(brand?.name ?? '');
  return `<figure class="notice"><figcaption class="soft" dir="auto">${escapeHtml(by)}:</figcaption>
<blockquote dir="auto">${escapeHtml(shown)}</blockquote></figure>\n`;
}

/** Returns true if the user approves a transaction by logging in. */
export const isApproval = ({ approvalType, approvalData = {} }: PageNotice = {}): boolean =>
  approvalType !== undefined || Object.keys(approvalData).length > 0;

/** Renders the application's message and the data to approve. Returns an empty string if there is neither. */
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
  if (!isApproval(notice)) return message;
  return `${message}<section class="notice" aria-labelledby="approval"><h2 id="approval">${texts.approvalHeading}</h2>
${label}<dl>${entries.join('')}</dl>
<p class="soft">${texts.approvalTip}</p></section>\n`;
}
