import type { Tenant } from '../../ports/directory.ts';
import type { Waking } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awakeAs, identityName } from '../identifiers/sleep.ts';
import { changeUser, replaceWith } from './change-user.ts';

/**
 * Wakes addresses and accounts at providers, by their names in `asleep`, for a login of the user as read: what has fallen asleep
 * since sleeps on.
 */
export async function wakeOfUser(
  ports: Using<'userRecords.find' | 'userRecords.replace'>,
  tenant: Tenant,
  { userId, asleepBefore }: Pick<User, 'userId' | 'asleepBefore'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const awake = awakeAs(asleepBefore);
  const change = (user: User): User => {
    const wake = <T extends Waking>(part: T, name: string): T =>
      names.includes(name) ? { ...part, ...awake } : part;
    const { email, phoneNumber, identities } = user;
    return {
      ...user,
      ...(email && { email: wake(email, 'email') }),
      ...(phoneNumber && { phoneNumber: wake(phoneNumber, 'phoneNumber') }),
      identities: identities.map((identity) => wake(identity, identityName(identity))),
    };
  };
  await changeUser(ports, tenant, userId, replaceWith(ports, change));
}
