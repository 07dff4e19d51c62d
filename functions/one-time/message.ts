import { requireLogo } from '../../shared/domain/email-content.ts';
import { newId } from '../../shared/domain/random.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import type { Settings } from '../../shared/operation.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { MailContent, MailInput } from '../../shared/templates/email.ts';

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
