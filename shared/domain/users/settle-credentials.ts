import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { isCurrent, todays } from '../trust/generations.ts';
import { identityName } from '../trust/names.ts';
import type { Settled } from '../trust/settle.ts';
import { changeUser, replaceWith } from './change-user.ts';

const ADDRESSES = ['email', 'phoneNumber'] as const;

/** Stores what credentials are from now on, for a login of the user as read: what came to them since is not touched. */
export async function settleCredentials(
  ports: Using<'userRecords.find' | 'userRecords.replace' | 'passkeys.settle'>,
  tenant: Tenant,
  read: User,
  settled: readonly Settled[],
): Promise<void> {
  const passkeys = settled.filter(({ use }) => use.method === 'webauthn');
  const others = settled.filter(({ use }) => use.method !== 'webauthn');
  const change = (user: User): User => {
    // Another first proof came between: what this login gave is over.
    if (!isCurrent(user, { generation: todays(read) })) return user;
    let next = user;
    for (const attribute of ADDRESSES) {
      const found = others.find(({ use }) => use.credential === attribute);
      const { [attribute]: address } = next;
      if (found && address && address.value === read[attribute]?.value)
        next = { ...next, [attribute]: { ...address, ...found.trust } };
    }
    const identities = next.identities.map((identity) => {
      const found = others.find(({ use }) => use.credential === identityName(identity));
      return found ? { ...identity, ...found.trust } : identity;
    });
    return { ...next, identities };
  };
  await awaitAll(
    others.length === 0
      ? Promise.resolve()
      : changeUser(ports, tenant, read.userId, replaceWith(ports, change)),
    ...passkeys.map(({ use, trust }) => ports.passkeys.settle(read.userId, use.credential, trust)),
  );
}
