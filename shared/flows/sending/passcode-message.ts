import { newId } from '../../domain/basis/random.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import { requireLogo } from '../../domain/sending/email-content.ts';
import type { Settings } from '../../operation.ts';
import type { SmsSender } from '../../ports/delivery.ts';
import type { Application } from '../../ports/directory.ts';
import type { MailContent, MailInput } from '../../templates/messages/email.ts';
import { type SmsInput, smsText } from '../../templates/messages/sms.ts';

type EmailContentBody =
  | (Omit<MailContent, 'logo'> & { readonly base64logo?: string | undefined })
  | undefined;

/** SPEC "EmailContent", its logo read and checked. Errors: `system_invalid_input`. */
export function readEmailContent(given: EmailContentBody): MailContent | undefined {
  if (!given) return undefined;
  const { base64logo, ...texts } = given;
  return { ...texts, logo: requireLogo(base64logo) };
}

/** What every mail of an application has in common. */
export function mailTo(
  to: string,
  application: Application,
  settings: Settings,
  message: Pick<MailInput, 'content' | 'approvalData'> & { readonly lifetimeSeconds: number },
): MailInput {
  return {
    tenantId: application.tenantId,
    applicationName: application.name,
    language: application.language ?? 'en',
    expiresMinutes: message.lifetimeSeconds / 60,
    from: settings.mailFrom,
    to,
    content: message.content,
    approvalData: message.approvalData,
    reference: newId(),
    sentAt: nowSeconds(),
  };
}

/** A text message with a code, which the browser offers on our pages alone. */
export function textTo(
  to: string,
  application: Application,
  settings: Settings,
  message: Pick<SmsInput, 'code' | 'customMessage'> & { readonly senderId?: string | undefined },
): Parameters<SmsSender['send']>[0] {
  const { code, customMessage, senderId } = message;
  const text = smsText({
    applicationName: application.name,
    language: application.language ?? 'en',
    code,
    customMessage,
    host: new URL(settings.browserOrigin).hostname,
  });
  return { to, text, ...(senderId === undefined ? {} : { senderId }) };
}
