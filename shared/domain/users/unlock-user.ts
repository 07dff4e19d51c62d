import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { changeUser, replaceWith } from './change-user.ts';
import { atCodesOfUser, forgetGuessesOf } from './codes-of-user.ts';

/**
 * Lets the user use codes again at once: codes, locks and failure counters of all their identifiers are forgotten, also
 * where 100 consecutive failures have switched codes off. Errors: `user_not_found`, `concurrent_change`.
 */
export async function unlockUser(
  ports: Using<
    | 'userRecords.find'
    | 'userRecords.replace'
    | 'applicationRecords.list'
    | 'formerApplications.listOf'
    | 'otps.removeAllOf'
    | 'guesses.clearAllOf'
  >,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  at: number,
): Promise<User> {
  const user = await changeUser(
    ports,
    { tenantId: tenant.tenantId, userId },
    replaceWith(ports, ({ wrongGuesses: _, ...current }) => ({ ...current, updatedAt: at })),
  );
  await atCodesOfUser(ports, { tenant, user }, at, (applicationId, hash) =>
    ports.otps.removeAllOf(applicationId, hash),
  );
  await forgetGuessesOf(ports, tenant, user);
  return user;
}
