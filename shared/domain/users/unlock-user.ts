import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { clearSwitchedOffCodes } from '../credentials/one-time-code.ts';
import { changeUser, replaceWith } from './change-user.ts';
import { atCodesOfUser } from './codes-of-user.ts';

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
    | 'knownDeviceRecords.listOf'
    | 'otps.remove'
  >,
  tenant: Tenant,
  userId: string,
  at: number,
): Promise<User> {
  let switchedOff: readonly string[] | undefined;
  const user = await changeUser(
    ports,
    tenant,
    userId,
    replaceWith(ports, ({ passcodesOff, ...current }) => {
      switchedOff = passcodesOff;
      return { ...current, updatedAt: at };
    }),
  );
  await atCodesOfUser(ports, tenant, user, at, (key) => ports.otps.remove(key));
  // The keys of codes of known devices cannot be made from identifiers alone.
  await clearSwitchedOffCodes(ports, switchedOff);
  return user;
}
