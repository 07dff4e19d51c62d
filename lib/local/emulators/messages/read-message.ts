import PostalMime, { type Address } from 'postal-mime';
import type { PasscodeChannel } from '../../../../shared/records/channels.ts';

/** Mail or text message in the form that `/_local/messages` returns. */
export interface Message {
  readonly id: string;
  readonly channel: PasscodeChannel;
  readonly to: string;
  readonly from: string | null;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  /** Time of sending (RFC 3339). */
  readonly created_at: string;
  readonly links: readonly string[];
  /** Digits in the text that could be a one-time code, the most likely code first. */
  readonly codes: readonly string[];
}

type Content = Pick<Message, 'text' | 'html' | 'links' | 'codes'>;
export type MessageContent = Content & Partial<Pick<Message, 'from' | 'subject'>>;

const URL_PATTERN = /https?:\/\/[^\s<>"')\]]+/g;

export async function readMail(
  raw: Uint8Array,
): Promise<Content & Pick<Message, 'from' | 'subject'> & { readonly recipients: readonly string[] }> {
  const mail = await PostalMime.parse(raw);
  const html = mail.html ?? null;
  const text = mail.text ?? '';
  const recipients = [mail.to, mail.cc, mail.bcc].flatMap((list) => (list ?? []).flatMap(mailboxes));
  return {
    from: mail.from === undefined ? null : display(mail.from),
    subject: mail.subject ?? null,
    text,
    html,
    links: [...new Set([...(text.match(URL_PATTERN) ?? []), ...findLinks(html ?? '')])],
    codes: findCodes(text === '' ? htmlToText(html ?? '') : text),
    recipients,
  };
}

export function readSms(text: string): Content {
  return { text, html: null, links: [...new Set(text.match(URL_PATTERN) ?? [])], codes: findCodes(text) };
}

/** Returns the HTML of a mail with its inline images as data URLs, so that a browser can show it. */
export async function renderMail(raw: Uint8Array): Promise<string> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  if (mail.html === undefined)
    return `<pre style="white-space:pre-wrap">${escapeHtml(mail.text ?? '')}</pre>`;
  let html = mail.html;
  for (const { contentId, mimeType, content } of mail.attachments)
    if (contentId !== undefined && typeof content === 'string')
      html = html.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, `data:${mimeType};base64,${content}`);
  return html;
}

/** Finds numbers of 4 to 8 digits outside of links. Numbers that fill a line or follow `#` (WebOTP) come first. */
function findCodes(text: string): string[] {
  const plain = text.replace(URL_PATTERN, ' ');
  const likely = [...plain.matchAll(/^[ \t]*(\d{4,8})[ \t]*$|^@\S+ #(\d{4,8})$/gm)];
  const others = [...plain.matchAll(/(?<![\w#+./-]|\d )(\d{4,8})(?![\w/-]| \d)/g)];
  return [...new Set([...likely, ...others].map((match) => match[1] ?? match[2] ?? ''))];
}

function findLinks(html: string): string[] {
  return [...html.matchAll(/\bhref\s*=\s*"(https?:[^"]+)"/gi)].map((match) => unescapeHtml(match[1] ?? ''));
}

function htmlToText(html: string): string {
  return unescapeHtml(
    html.replace(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/gi, ' ').replace(/<[^>]+>/g, '\n'),
  );
}

function mailboxes(address: Address): string[] {
  return address.group ? address.group.map((member) => member.address) : [address.address ?? ''];
}

function display(address: Address): string {
  return address.name ? `${address.name} <${address.address ?? ''}>` : (address.address ?? '');
}

function unescapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
