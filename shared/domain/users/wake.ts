import type { Tenant } from '../../ports/directory.ts';
import type { Waking } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { awakeAs, identityName } from '../identifiers/sleep.ts';
import { changeUser, replaceWith } from './change-user.ts';

const ADDRESSES = ['email', 'phoneNumber'] as const;

/**
 * Wakes addresses and accounts at providers, by their names in `asleep`, for a login of the user as read: what has fallen asleep
 * since sleeps on. What it `confirms` is one of two factors in the tenant from now on.
 */
export async function wakeOfUser(
  ports: Using<'userRecords.find' | 'userRecords.replace'>,
  tenant: Tenant,
  read: User,
  names: readonly string[],
  confirms: readonly string[] = [],
): Promise<void> {
  if (names.length + confirms.length === 0) return;
  const awake = awakeAs(read.asleepBefore);
  const change = (user: User): User => {
    const { email, phoneNumber, identities } = user;
    // Another address may have come since.
    const changed = ADDRESSES.filter((attribute) => user[attribute]?.value !== read[attribute]?.value);
    const confirmed = confirms.filter((name) => !changed.some((attribute) => attribute === name));
    const settled = <T extends Waking & Pick<Address, 'secondAt'>>(part: T, name: string): T => {
      const woken = names.includes(name) ? { ...part, ...awake } : part;
      return confirmed.includes(name) ? omitUndefined<T>({ ...woken, secondAt: undefined }) : woken;
    };
    return {
      ...user,
      ...(email && { email: settled(email, 'email') }),
      ...(phoneNumber && { phoneNumber: settled(phoneNumber, 'phoneNumber') }),
      identities: identities.map((identity) => settled(identity, identityName(identity))),
    };
  };
  await changeUser(ports, tenant, read.userId, replaceWith(ports, change));
}
