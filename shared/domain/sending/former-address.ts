import type { Mailer } from '../../ports/delivery.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { newId } from '../basis/random.ts';
import { normaliseEmail } from '../identifiers/email-address.ts';
import { admitsNotice, type NoticeSender, noticeAddress } from './notice.ts';

/** The mailbox, in any spelling. */
const mailboxOf = ({ email }: User) => email && normaliseEmail(email.value)?.key;

/** Whether a change removes the user's mailbox; another spelling of the address does not. */
export const leavesMailbox = (before: User, after: User): boolean =>
  before.email !== undefined && mailboxOf(before) !== mailboxOf(after);

/** Content of the mail, without its language. */
export interface FormerAddressNotice {
  readonly kind: 'email_changed';
  readonly at: number;
  readonly to: string;
  readonly tenantId: string;
  readonly applicationName: string;
  readonly reference: string;
  readonly sentAt: number;
}

/**
 * Tells the former address of a user that it was replaced. The operation that replaces it must call this: the event holds no
 * address, and nothing else keeps it. Returns whether a mail was sent. Errors: of `Mailer`.
 */
export async function tellFormerAddress(
  ports: Using<'windows.count' | 'mailer'>,
  sender: NoticeSender,
  former: User,
  at: number,
  write: (notice: FormerAddressNotice) => Promise<Parameters<Mailer['send']>[0]>,
): Promise<boolean> {
  const kind = 'email_changed';
  const to = noticeAddress(sender, kind, former.email);
  if (to === undefined || !(await admitsNotice(ports, former.userId, kind, at))) return false;
  const { tenantId } = former;
  const mail = await write({
    ...{ kind, at, to, tenantId, applicationName: sender.name },
    reference: newId(),
    sentAt: at,
  });
  await ports.mailer.send(mail);
  return true;
}
