import { tellFormerAddress } from '../../shared/domain/sending/former-address.ts';
import type { NoticeSender } from '../../shared/domain/sending/notice.ts';
import type { User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { noticeLanguage } from '../../shared/templates/language.ts';
import { noticeMail } from '../../shared/templates/messages/email.ts';

/** Tells the former address of a user whom an operator has changed, in the name of the tenant. True when a mail was sent. */
export function mailFormerAddress(
  ports: Using<'windows.count' | 'mailer'>,
  tenant: NoticeSender,
  former: User,
  from: string,
): Promise<boolean> {
  const language = noticeLanguage(former.language, tenant.language);
  return tellFormerAddress(ports, tenant, former, (notice) => noticeMail({ ...notice, language, from }));
}
