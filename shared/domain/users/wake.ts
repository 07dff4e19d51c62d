import type { Tenant } from '../../ports/directory.ts';
import type { Waking } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { awakeAs, identityName } from '../identifiers/sleep.ts';
import { changeUser, replaceWith } from './change-user.ts';

/**
 * Wakes addresses and accounts at providers, by their names in `asleep`, for a login of the user as read: what has fallen asleep
 * since sleeps on. What it `confirms` is one of two factors in the tenant from now on.
 */
export async function wakeOfUser(
  ports: Using<'userRecords.find' | 'userRecords.replace'>,
  tenant: Tenant,
  { userId, asleepBefore }: Pick<User, 'userId' | 'asleepBefore'>,
  names: readonly string[],
  confirms: readonly string[] = [],
): Promise<void> {
  if (names.length + confirms.length === 0) return;
  const awake = awakeAs(asleepBefore);
  const change = (user: User): User => {
    const wake = <T extends Waking & Pick<Address, 'secondAt'>>(part: T, name: string): T => {
      const woken = names.includes(name) ? { ...part, ...awake } : part;
      return confirms.includes(name) ? omitUndefined<T>({ ...woken, secondAt: undefined }) : woken;
    };
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
