import { newId } from '../../domain/basis/random.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import { splitApprovalData } from '../../domain/credentials/approval-data.ts';
import { requireLogo } from '../../domain/sending/email-content.ts';
import { isUnsupportedSenderId } from '../../domain/sending/sender-id.ts';
import type { AuditContext, Settings } from '../../operation.ts';
import type { Mailer, MessageFacts, MessageSubject } from '../../ports/delivery.ts';
import type { Application } from '../../ports/directory.ts';
import type { ApprovalData } from '../../ports/signing.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { PasscodeChannel } from '../../records/channels.ts';
import { messageLanguage } from '../../templates/language.ts';
import { maskEmail, maskPhoneNumber } from '../../templates/mask.ts';
import { codeMail, linkMail, type MailContent, type MailInput } from '../../templates/messages/email.ts';
import { segments } from '../../templates/messages/segments.ts';
import { type SmsInput, smsText } from '../../templates/messages/sms.ts';
import type { Brand } from '../../templates/parts/brand.ts';

/** Composed message with the function that sends it. */
export interface Message {
  readonly auditContext?: AuditContext;
  /** Sends the message and resolves to the audit context of the delivery. */
  readonly send: (subject: MessageSubject) => Promise<AuditContext>;
}

type EmailContentBody =
  | (Omit<MailContent, 'logo'> & { readonly base64logo?: string | undefined })
  | undefined;

/** Reads an `EmailContent` object (SPEC), including its logo. Throws `system_invalid_input` for an invalid logo. */
export function readEmailContent(given: EmailContentBody): MailContent | undefined {
  if (!given) return undefined;
  const { base64logo, ...texts } = given;
  return { ...texts, logo: requireLogo(base64logo) };
}

/** Recipient, sending application, language and appearance of a message. */
interface Envelope {
  readonly to: string;
  readonly application: Application;
  readonly settings: Settings;
  /** Language tag (RFC 5646) of the page or user. For a language without texts, the application's language is used. */
  readonly language?: string | undefined;
  /** Appearance of the hosted pages that the message belongs to. */
  readonly brand?: Brand;
  /** Request on a hosted page that caused the message. Backends cannot set it. */
  readonly requested?: MailInput['requested'];
  /** ID of the request that causes the message. */
  readonly requestId: string;
}

interface MailBody extends Pick<MailInput, 'content' | 'purpose' | 'isBoundToBrowser'> {
  readonly approvalData?: ApprovalData | undefined;
  readonly lifetimeSeconds: number;
}

export interface LoginLink {
  readonly url: string;
  readonly lifetimeSeconds: number;
}

function mailInput(
  { to, application, settings, language, brand, requested }: Envelope,
  body: MailBody,
): MailInput {
  const { type, texts } = splitApprovalData(body.approvalData);
  return {
    tenantId: application.tenantId,
    applicationName: application.name,
    language: messageLanguage(language, application.language),
    expiresMinutes: body.lifetimeSeconds / 60,
    from: settings.mailFrom,
    to,
    brand,
    requested,
    content: body.content,
    purpose: body.purpose,
    isBoundToBrowser: body.isBoundToBrowser,
    approvalType: type,
    approvalData: texts,
    reference: newId(),
    // Date header of the mail. It is later than the request, because counts and look-ups took time.
    sentAt: nowSeconds(),
  };
}

const PURPOSES = { signUp: 'sign_up', confirm: 'confirm', letIn: 'reinstate' } as const;

/** Returns the data about a message for the operator's sender functions, without the message's texts and recipient. */
function sendingFacts(
  { application, language, requestId }: Envelope,
  { purpose, approvalData }: Pick<MailBody, 'purpose' | 'approvalData'>,
  credential: Pick<MessageFacts, 'code' | 'link'>,
) {
  const usual = approvalData === undefined ? 'login' : 'approval';
  const facts: MessageFacts = {
    purpose: purpose ? PURPOSES[purpose] : usual,
    ...credential,
    language: messageLanguage(language, application.language),
    applicationName: application.name,
  };
  const { tenantId, applicationId } = application;
  return (subject: MessageSubject) => ({
    tenantId,
    subject: { ...subject, applicationId },
    facts,
    requestId,
  });
}

const mailMessage = (
  mailer: Mailer,
  mail: Awaited<ReturnType<typeof codeMail>>,
  toSending: ReturnType<typeof sendingFacts>,
): Message => ({
  auditContext: { recipient: maskEmail(mail.to) },
  send: (subject) => mailer.send({ ...mail, ...toSending(subject) }),
});

/** Composes an email with a code to type. If `link` is given, the email also contains a link with the same effect. */
export async function composeCodeMail(
  { mailer }: PortsWith<'mailer'>,
  envelope: Envelope,
  { digits, link, ...body }: MailBody & { readonly digits: string; readonly link?: LoginLink | undefined },
): Promise<Message> {
  const timed = link && { url: link.url, expiresMinutes: link.lifetimeSeconds / 60 };
  const mail = await codeMail({ ...mailInput(envelope, body), code: digits, link: timed });
  return mailMessage(mailer, mail, sendingFacts(envelope, body, { code: digits, link: link?.url }));
}

/** Composes an email with a login link and without a code. */
export async function composeLinkMail(
  { mailer }: PortsWith<'mailer'>,
  envelope: Envelope,
  { url, ...body }: MailBody & { readonly url: string },
): Promise<Message> {
  const mail = await linkMail({ ...mailInput(envelope, body), url });
  return mailMessage(mailer, mail, sendingFacts(envelope, body, { link: url }));
}

/**
 * Composes an SMS with a code.
 * @param body Texts and digits; `host` is the host of the page where the user types the code, if known
 */
export function composeSms(
  { smsSender }: PortsWith<'smsSender'>,
  envelope: Envelope,
  body: Pick<SmsInput, 'customMessage' | 'host'> &
    Pick<MailBody, 'purpose' | 'approvalData'> & {
      readonly digits: string;
      readonly senderId?: string | undefined;
    },
): Message {
  const { to, application, language } = envelope;
  const { digits, customMessage, senderId, host } = body;
  const text = smsText({
    applicationName: application.name,
    language: messageLanguage(language, application.language),
    code: digits,
    customMessage,
    host,
  });
  const leftOut = isUnsupportedSenderId(senderId);
  const toSending = sendingFacts(envelope, body, { code: digits });
  return {
    auditContext: {
      smsParts: segments(text),
      recipient: maskPhoneNumber(to),
      ...(leftOut && { smsSender: 'left_out' }),
    },
    send: (subject) =>
      smsSender.send({ ...toSending(subject), to, text, ...(senderId && !leftOut ? { senderId } : {}) }),
  };
}

/** Ports of the message senders of all channels. */
export type SenderPorts = PortsWith<'mailer' | 'smsSender'>;

/** Functions that compose a message with a code, by channel. Each function needs only the port of its own sender. */
export const composeCode: Readonly<
  Record<
    PasscodeChannel,
    (
      ports: SenderPorts,
      envelope: Envelope,
      body: Parameters<typeof composeCodeMail>[2] & Parameters<typeof composeSms>[2],
    ) => Message | Promise<Message>
  >
> = { email: composeCodeMail, sms: composeSms };
