import MimeNode from 'nodemailer/lib/mime-node';
import { contrastColour, DEFAULT_COLOUR, normaliseColour } from '../../domain/basis/colour.ts';
import { oneLine } from '../html.ts';
import { durationText, type Language, leftToRight } from '../language.ts';
import { type Brand, readAccents } from '../parts/brand.ts';
import { isApproval } from '../parts/notice.ts';
import { FONTS } from '../parts/style.ts';
import { messageTexts, noticeTexts } from '../texts/all.ts';
import { fill, fillAll } from '../texts/fill.ts';
import {
  type MailLook,
  type MailSections,
  type MessageCredential,
  mailHtml,
  mailText,
} from './email-layout.ts';
import { asciiDomain, headerText, readDomain } from './mail-header.ts';

/** Email content from a backend (SPEC "EmailContent"): plain texts, and the decoded logo with its detected content type. */
export interface MailContent {
  readonly subject: string;
  readonly primaryColor?: string | undefined;
  readonly logo?: { readonly contentType: string; readonly bytes: Uint8Array } | undefined;
  readonly headerText?: string | undefined;
  readonly bodyText?: string | undefined;
  readonly linkText?: string | undefined;
  readonly infoText?: string | undefined;
  readonly footerText?: string | undefined;
  readonly senderName?: string | undefined;
}

export interface MailInput {
  readonly tenantId: string;
  readonly applicationName: string;
  readonly language: Language;
  readonly expiresMinutes: number;
  /** Sender address without a display name. */
  readonly from: string;
  readonly to: string;
  /** Purpose of a message that is not for a login: signing up, confirming a new address or reinstating a superseded address. */
  readonly purpose?: 'signUp' | 'confirm' | 'letIn' | undefined;
  /** True if the link works only in the browser in which the login began. */
  readonly isBoundToBrowser?: boolean | undefined;
  /** Request on a hosted page that caused the email: its time in epoch seconds, and the readable name of its device. */
  readonly requested?: { readonly at: number; readonly device: string | undefined } | undefined;
  /** Branding of the hosted pages to which the email belongs. */
  readonly brand?: Brand | undefined;
  /** Content from a backend, which replaces all default texts. A field that the backend omits is left empty. */
  readonly content?: MailContent | undefined;
  readonly approvalType?: string | undefined;
  readonly approvalData?: Readonly<Record<string, string>> | undefined;
  /**
   * Unguessable reference of letters, digits and hyphens in the header of the email. Without it, Gmail collapses similar emails
   * from the same sender.
   */
  readonly reference: string;
  /** Time of sending in epoch seconds. */
  readonly sentAt: number;
}

export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  readonly tenantId: string;
  /** Complete RFC 5322 message with CRLF line endings. */
  readonly raw: Uint8Array;
  /** Subject, text and HTML that `raw` contains. The HTML may refer to a logo, which only `raw` contains. */
  readonly parts: { readonly subject: string; readonly text: string; readonly html: string };
}

function chooseLinkText(input: MailInput): string {
  const { signUp, confirm, approval, linkText } = messageTexts[input.language];
  if (isApproval(input)) return approval.linkText;
  if (input.purpose === 'signUp') return signUp.linkText;
  return input.purpose === 'confirm' ? confirm.linkText : linkText;
}

/** Composes an email with a login link and without a code. */
export function linkMail(input: MailInput & { readonly url: string }): Promise<ComposedMail> {
  const linkText = input.content?.linkText?.trim() || chooseLinkText(input);
  return composeLogin(input, { kind: 'link', url: input.url, linkText });
}

/** Composes an email with a code and, optionally, a link that has the same effect in the browser in which the login began. */
export function codeMail(
  input: MailInput & {
    readonly code: string;
    readonly link?: { readonly url: string; readonly expiresMinutes: number } | undefined;
  },
): Promise<ComposedMail> {
  const { code, link } = input;
  return composeLogin(input, {
    kind: 'code',
    code,
    link: link && { ...link, linkText: chooseLinkText(input) },
  });
}

export type NoticeInput = Omit<
  MailInput,
  'expiresMinutes' | 'content' | 'purpose' | 'approvalData' | 'approvalType'
> & {
  readonly kind: keyof (typeof noticeTexts)[Language]['titles'];
  /** Time of the event in epoch seconds. */
  readonly at: number;
  /** Readable name of the device that caused the event, if known. */
  readonly device?: string | undefined;
  /** Name of the client, identity provider or passkey that the notice is about, if known. For a client, it is a host. */
  readonly about?: { readonly kind: 'client' | 'provider' | 'passkey'; readonly name: string } | undefined;
  /** Time at which the announced change takes effect, in epoch seconds. */
  readonly effectiveAt?: number | undefined;
  /** True if the address was set or removed by an operator without the role admin. */
  readonly isByOperator?: boolean;
  /** Link in the notice. It undoes the reported change, or leads to the account page. */
  readonly link?:
    | {
        readonly kind: 'address' | 'change' | 'recovery' | 'erasure' | 'reclaimed' | 'account';
        readonly url: string;
      }
    | undefined;
};

/** Formats epoch seconds as a UTC time with minute precision, such as "2026-05-04 13:37 UTC". */
export const toUtcMinute = (at: number) =>
  `${new Date(at * 1000).toISOString().replace('T', ' ').slice(0, 'yyyy-mm-dd hh:mm'.length)} UTC`;

/** Returns the closing text of a notice and the label of its link. */
function chooseClosing({ language, link, isByOperator, effectiveAt }: NoticeInput, app: string) {
  const texts = noticeTexts[language];
  const { undoText, undoFooterText, stopRecovery, keepFooterText, keepText } = texts;
  switch (link?.kind) {
    case undefined:
      return { footerText: fill(texts.footerText, { app }), linkText: '' };
    case 'address':
    case 'change': {
      const isTimed = isByOperator && effectiveAt !== undefined;
      return { footerText: isTimed ? keepFooterText : undoFooterText, linkText: undoText };
    }
    case 'recovery':
      return { footerText: stopRecovery, linkText: undoText };
    case 'erasure':
      return { footerText: keepFooterText, linkText: keepText };
    case 'reclaimed':
      return { footerText: texts.letInFooterText, linkText: texts.letInText };
    case 'account': {
      const host = leftToRight(new URL(link.url).hostname, language);
      return { footerText: fill(texts.accountFooterText, { app, host }), linkText: texts.accountText };
    }
  }
}

function renderNoticeBody({ language, kind, isByOperator, effectiveAt }: NoticeInput, app: string): string {
  const { bodies, changedByOperator, opensFrom } = noticeTexts[language];
  if (!isByOperator) return bodies[kind];
  const changed = fill(changedByOperator, { app });
  return effectiveAt === undefined ? changed : `${changed} ${opensFrom}`;
}

/** Composes a notice that informs a user of a change to the account. */
export function noticeMail(input: NoticeInput): Promise<ComposedMail> {
  const { kind, at, about, device, effectiveAt, link } = input;
  const texts = noticeTexts[input.language];
  const app = oneLine(input.applicationName);
  const title = fill(texts.titles[kind], { app });
  const bodyText = renderNoticeBody(input, app);
  const { footerText, linkText } = chooseClosing(input, app);
  const effectLabel = link?.kind === 'erasure' ? texts.erasedAt : texts.takesEffect;
  const facts = [
    ...(about === undefined ? [] : [[texts[about.kind], about.name]]),
    [texts.time, toUtcMinute(at)],
    ...(effectiveAt === undefined ? [] : [[effectLabel, toUtcMinute(effectiveAt)]]),
    ...(device === undefined ? [] : [[texts.device, device]]),
  ];
  const sections: TextSections = {
    subject: title,
    preheader: bodyText,
    headerText: title,
    bodyText,
    infoText: facts
      .map(([label, value = '']) => `${label}: ${leftToRight(value, input.language)}`)
      .join('\n'),
    linkFallback: link ? messageTexts[input.language].linkFallback : '',
    orLink: '',
    footerText,
  };
  return compose(input, sections, link ? { kind: 'link', url: link.url, linkText } : { kind: 'none' });
}

/** Composes an email to an operator, in English like the console. */
export function operatorMail(
  input: Pick<MailInput, 'tenantId' | 'from' | 'to' | 'reference' | 'sentAt' | 'applicationName'> & {
    readonly title: string;
    readonly body: string;
    readonly facts: readonly (readonly [label: string, value: string])[];
    readonly footer: string;
    readonly link?: { readonly url: string; readonly linkText: string } | undefined;
  },
): Promise<ComposedMail> {
  const { title, body, facts, footer, link } = input;
  const sections: TextSections = {
    subject: title,
    preheader: body,
    headerText: title,
    bodyText: body,
    infoText: facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n'),
    linkFallback: link ? messageTexts.en.linkFallback : '',
    orLink: '',
    footerText: footer,
  };
  return compose({ ...input, language: 'en' }, sections, link ? { kind: 'link', ...link } : { kind: 'none' });
}

type LoginCredential = Exclude<MessageCredential, { kind: 'none' }>;

function composeLogin(input: MailInput, credential: LoginCredential): Promise<ComposedMail> {
  const { content } = input;
  return compose(input, content ? givenSections(content) : defaultSections(input, credential), credential);
}

async function compose(
  input: Omit<MailInput, 'expiresMinutes'>,
  texts: TextSections,
  credential: MessageCredential,
): Promise<ComposedMail> {
  const { content, reference } = input;
  const from = asciiDomain(input.from);
  const to = asciiDomain(input.to);
  const senderName = headerText(content?.senderName || input.applicationName);
  const contentId = `logo-${reference}@${readDomain(from)}`;
  const image = content ? content.logo : decodeLogo(input.brand);
  const logo = image && { ...image, contentId, alt: senderName };
  const sections: MailSections = {
    ...texts,
    language: input.language,
    approving: [messageTexts[input.language].approving, input.approvalType].join(' ').trim(),
    approves: isApproval(input),
    approvalData: input.approvalData ?? {},
    look: chooseLook(input),
    credential,
    logo,
    // If a backend supplies the texts of the email, the defaults are not added.
    wordmark: logo || content ? '' : senderName,
  };

  const subject = headerText(sections.subject);
  const parts = { subject, text: mailText(sections), html: mailHtml(sections) };
  const message = new MimeNode('multipart/alternative', { ...PART, baseBoundary: reference });
  message.setHeader({
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    'X-Entity-Ref-ID': reference,
    from: { name: senderName, address: from },
    to: { name: '', address: to },
    subject: parts.subject,
    'message-id': `<${reference}@${readDomain(from)}>`,
    date: new Date(input.sentAt * 1000),
  });
  addText(message, 'plain', parts.text);
  const page = logo ? message.createChild('multipart/related; type="text/html"', PART) : message;
  addText(page, 'html', parts.html);
  if (logo) addLogo(page, logo);
  return { from, to, tenantId: input.tenantId, raw: await message.build(), parts };
}

type Logo = NonNullable<MailContent['logo']> & { readonly contentId: string };

const PART = { newline: 'win', disableFileAccess: true, disableUrlAccess: true } as const;

function addText(parent: MimeNode, kind: 'html' | 'plain', text: string): void {
  const node = parent.createChild(`text/${kind}; charset=utf-8`, PART);
  node.setHeader('content-transfer-encoding', 'quoted-printable');
  node.setContent(text);
}

function addLogo(parent: MimeNode, { contentType, contentId, bytes }: Logo): void {
  const node = parent.createChild(contentType, PART);
  node.setHeader({
    'content-id': `<${contentId}>`,
    'content-transfer-encoding': 'base64',
    'content-disposition': 'inline',
  });
  node.setContent(Buffer.from(bytes));
}

const RADIUS = 10;

function chooseLook({ brand, content }: Pick<MailInput, 'brand' | 'content'>): MailLook {
  if (content || !brand) {
    const colour = normaliseColour(content?.primaryColor);
    return { light: { colour, on: contrastColour(colour) }, radius: RADIUS, font: FONTS.sans };
  }
  const plain = { colour: DEFAULT_COLOUR, on: contrastColour(DEFAULT_COLOUR) };
  const { light, dark } = readAccents(brand) ?? { light: plain, dark: undefined };
  return { light, dark, radius: brand.cornerRadius ?? RADIUS, font: FONTS[brand.font ?? 'sans'] };
}

/** Decodes the brand's logo so that it can be attached as an image, because Gmail drops `data:` URLs. */
function decodeLogo(brand: Brand | undefined): MailContent['logo'] {
  const [, contentType, base64 = ''] = /^data:([a-z/]+);base64,(.*)$/.exec(brand?.logoDataUri ?? '') ?? [];
  return contentType === undefined ? undefined : { contentType, bytes: Buffer.from(base64, 'base64') };
}

type TextSections = Pick<
  MailSections,
  'subject' | 'preheader' | 'headerText' | 'bodyText' | 'orLink' | 'infoText' | 'footerText' | 'linkFallback'
>;

function givenSections(content: MailContent): TextSections {
  return {
    subject: content.subject,
    preheader: '',
    headerText: content.headerText ?? '',
    bodyText: content.bodyText ?? '',
    infoText: content.infoText ?? '',
    footerText: content.footerText ?? '',
    linkFallback: '',
    orLink: '',
  };
}

/** Returns the sentence with the time and, if known, the device of the request. Empty if no request caused the email. */
function requestText({ language, requested }: MailInput): string {
  if (!requested) return '';
  const { requestedAt, requestedOn } = messageTexts[language];
  const time = leftToRight(toUtcMinute(requested.at), language);
  const { device } = requested;
  return device === undefined ? fill(requestedAt, { time }) : fill(requestedOn, { time, device });
}

const withLine = (text: string, line: string) => (line === '' ? text : `${text}\n${line}`);

/**
 * Returns the texts of an email that approves a transaction, reinstates or confirms an address, or belongs to a sign-up. They
 * replace the texts of a login email.
 */
function purposeTexts(input: MailInput, kind: 'link' | 'code') {
  const { purpose } = input;
  const { signUp, confirm, approval, letInBody } = messageTexts[input.language];
  if (purpose === 'letIn' && kind === 'code') return { bodyText: letInBody };
  if (isApproval(input)) return approval[kind];
  if (purpose === 'signUp') return signUp[kind];
  if (purpose !== 'confirm') return {};
  const { title, byLink, byCode } = confirm;
  return { subject: title, headerText: title, bodyText: kind === 'link' ? byLink : byCode };
}

/**
 * Returns the default texts of an email with a code or link. The subject never contains the code, because mail relays log
 * subjects and the events of SES contain them.
 */
function defaultSections(input: MailInput, credential: LoginCredential): TextSections {
  const texts = messageTexts[input.language];
  const duration = durationText(input.language, input.expiresMinutes);
  const app = oneLine(input.applicationName);
  if (credential.kind === 'link') {
    const mail = fillAll({ ...texts.link, ...purposeTexts(input, 'link') }, { app, duration });
    const preheader = input.isBoundToBrowser ? `${texts.openWhereBegan} ${mail.infoText}` : mail.infoText;
    const infoText = withLine(preheader, requestText(input));
    return { ...mail, infoText, preheader, orLink: '', linkFallback: texts.linkFallback };
  }
  const mail = fillAll({ ...texts.code, ...purposeTexts(input, 'code') }, { app, duration });
  const { code, link } = credential;
  const infoText = link
    ? fill(texts.eitherOnce, {
        code: duration,
        link: durationText(input.language, link.expiresMinutes),
      })
    : mail.infoText;
  return {
    ...mail,
    infoText: withLine(infoText, requestText(input)),
    preheader: `${code} · ${infoText}`,
    orLink: texts.orLink,
    linkFallback: texts.linkFallback,
  };
}
