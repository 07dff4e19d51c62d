import PostalMime, { type Email } from 'postal-mime';
import { LANGUAGES } from '../../shared/records/languages.ts';
import {
  type ComposedMail,
  codeMail,
  linkMail,
  type MailContent,
  type MailInput,
  type NoticeInput,
  noticeMail,
} from '../../shared/templates/messages/email.ts';

export const languages = LANGUAGES;

export const CODE = '042917';
export const URL_OF_LINK =
  'https://login.example.com/v1/auth/link/email/open?c=Vn2q8h3kX0b1mT7d5sR9yPzLw4uEoQaCfGjKiNtHxBs&lang=en';

const input: MailInput = {
  tenantId: 'tenant',
  applicationName: 'Northwind',
  language: 'en',
  expiresMinutes: 15,
  from: 'no-reply@example.com',
  to: 'ann@example.org',
  reference: '5f0c9a2e-7d1b-4c64-9b1e-6f2a3c4d5e6f',
  sentAt: 1_790_000_000,
};

export interface ReadMail extends Email {
  readonly source: string;
  readonly composed: ComposedMail;
}

export async function read(composing: Promise<ComposedMail>): Promise<ReadMail> {
  const composed = await composing;
  const mail = await PostalMime.parse(composed.raw);
  return { ...mail, composed, source: Buffer.from(composed.raw).toString('latin1') };
}

export const readLinkMail = (change: Partial<MailInput> & { url?: string } = {}) =>
  read(linkMail({ url: URL_OF_LINK, ...input, ...change }));

export const readCodeMail = (change: Partial<Parameters<typeof codeMail>[0]> = {}) =>
  read(codeMail({ code: CODE, ...input, ...change }));

/** Composes and parses an email that contains both a code and a link for the same login. */
export const readMailWithBoth = (change: Partial<MailInput> = {}) =>
  readCodeMail({ expiresMinutes: 5, link: { url: URL_OF_LINK, expiresMinutes: 15 }, ...change });

export const readNoticeMail = (change: Partial<NoticeInput> = {}) =>
  read(noticeMail({ kind: 'new_device', at: 1_789_999_990, ...input, ...change }));

export const both = (change: Partial<MailInput>) => Promise.all([readLinkMail(change), readCodeMail(change)]);

/** Returns mail content with the same words in every text field. */
export function createContent(words: string): MailContent {
  return {
    subject: words,
    headerText: words,
    bodyText: words,
    linkText: words,
    infoText: words,
    footerText: words,
    senderName: words,
  };
}

export function findHeader(mail: Email, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name)?.value;
}

/** Returns the visible text of HTML. */
export function visibleText(html: string | undefined): string {
  return (html ?? '')
    .replace(
      /<head>[\s\S]*?<\/head>|<!--[\s\S]*?-->|<script>[\s\S]*?<\/script>|<div style="display:none[\s\S]*?<\/div>/g,
      '',
    )
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/[ \t]+/g, ' ');
}
