import { normaliseEmail } from '../../shared/domain/email-address.ts';
import { admitsNotice, type NoticeSender, noticeAddress } from '../../shared/domain/notice.ts';
import { newId } from '../../shared/domain/random.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { changesOf, updateUser } from '../../shared/domain/update-user.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { PortsOf, Settings, UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import { noticeMail } from '../../shared/templates/email.ts';
import { noticeLanguage } from '../../shared/templates/language.ts';
import { updateUser as operation } from '../rows/users.ts';

/** However it is written. */
const mailboxOf = ({ email }: User) => email && normaliseEmail(email.value)?.key;

/**
 * Tells the former address that it was replaced. Here and not from the event, which holds no address: nothing else knows it
 * afterwards. True when a mail was sent.
 */
async function tellFormerAddress(
  ports: PortsOf<typeof operation>,
  sender: NoticeSender,
  user: User,
  settings: Settings,
): Promise<boolean> {
  const kind = 'email_changed';
  const to = noticeAddress(sender, kind, user.email);
  const at = nowSeconds();
  if (to === undefined || !(await admitsNotice(ports, user.userId, kind, at))) return false;
  await ports.mailer.send(
    await noticeMail({
      kind,
      at,
      to,
      tenantId: user.tenantId,
      applicationName: sender.name,
      language: noticeLanguage(user.language, sender.language),
      from: settings.mailFrom,
      reference: newId(),
      sentAt: at,
    }),
  );
  return true;
}

/**
 * Changes the given fields: null removes one, a changed address is unverified, one way to reach the user must remain. The
 * former email address is told; a mail that fails takes nothing back.
 */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  let former: User | undefined;
  const user = await updateUser(ports, caller.tenant, path.userId, json, (before, after) => {
    const events = changesOf(before, after);
    audit({ events });
    if (events.includes('user.email_changed') && mailboxOf(before) !== mailboxOf(after)) former = before;
  });
  const sender = caller.kind === 'client' ? caller.application : caller.tenant;
  if (former)
    await tellFormerAddress(ports, sender, former, settings).then(
      (sent) => audit(sent ? { notice: 'sent' } : {}),
      () => audit({ notice: 'failed' }),
    );
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
