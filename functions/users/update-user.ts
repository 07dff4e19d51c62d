import { lambda } from '../../shared/aws/lambda.ts';
import { requireMayGiveRoles } from '../../shared/domain/oauth/roles.ts';
import { leavesMailbox, tellFormerAddress } from '../../shared/domain/sending/former-address.ts';
import type { NoticeSender } from '../../shared/domain/sending/notice.ts';
import { changesOf, updateUser } from '../../shared/domain/users/update-user.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import { noticeLanguage } from '../../shared/templates/language.ts';
import { noticeMail } from '../../shared/templates/messages/email.ts';
import { updateUser as operation } from './rows.ts';

/**
 * Changes the given fields: null removes one, a changed address is unverified, one way to reach the user must remain. The
 * former email address is told; a mail that fails takes nothing back.
 */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  requireMayGiveRoles(caller, json.roles);
  let former: User | undefined;
  const user = await updateUser(ports, caller.tenant, path.userId, json, (before, after) => {
    audit({ events: changesOf(before, after) });
    if (leavesMailbox(before, after)) former = before;
  });
  const sender: NoticeSender = caller.kind === 'client' ? caller.application : caller.tenant;
  const language = noticeLanguage(former?.language, sender.language);
  if (former)
    await tellFormerAddress(ports, sender, former, (notice) =>
      noticeMail({ ...notice, language, from: settings.mailFrom }),
    ).then(
      (sent) => audit(sent ? { notice: 'sent' } : {}),
      () => audit({ notice: 'failed' }),
    );
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
