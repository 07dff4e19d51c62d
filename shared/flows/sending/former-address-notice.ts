import { tellFormerAddress } from '../../domain/sending/former-address.ts';
import type { NoticeSender } from '../../domain/sending/notice.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { noticeLanguage } from '../../templates/language.ts';
import { noticeMail } from '../../templates/messages/email.ts';

/** Tells a user's former address of a change by an operator, in the name of the tenant. True when a mail was sent. */
export function mailFormerAddress(
  ports: Using<'windows.count' | 'mailer'>,
  tenant: NoticeSender,
  former: User,
  from: string,
  now: number,
): Promise<boolean> {
  const language = noticeLanguage(former.language, tenant.language);
  return tellFormerAddress(ports, tenant, former, now, (notice) => noticeMail({ ...notice, language, from }));
}
