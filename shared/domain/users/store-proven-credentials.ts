import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { ADDRESS_ATTRIBUTES } from '../../records/channels.ts';
import { awaitAll } from '../basis/await-all.ts';
import { currentGeneration, hasValidGeneration } from '../trust/generations.ts';
import { identityName } from '../trust/names.ts';
import type { TrustGain } from '../trust/trust-gains.ts';
import { changeUser, createReplaceAttempt, type RecordPorts } from './change-user.ts';

/** Stores the trust that addresses and linked accounts have gained by a login. Keeps changes stored since `read` was loaded. */
export async function storeProvenAddresses(
  ports: RecordPorts,
  read: User,
  settled: readonly TrustGain[],
): Promise<void> {
  if (settled.length === 0) return;
  const change = (user: User): User => {
    // Another proof has superseded the account in the meantime, so the proofs of this login are no longer valid.
    if (!hasValidGeneration(user, { generation: currentGeneration(read) })) return user;
    let next = user;
    for (const attribute of ADDRESS_ATTRIBUTES) {
      const found = settled.find(({ use }) => use.credential === attribute);
      const { [attribute]: address } = next;
      if (found && address && address.value === read[attribute]?.value)
        next = { ...next, [attribute]: { ...address, ...found.trust } };
    }
    const identities = next.identities.map((identity) => {
      const found = settled.find(({ use }) => use.credential === identityName(identity));
      return found ? { ...identity, ...found.trust } : identity;
    });
    return { ...next, identities };
  };
  await changeUser(ports, read, createReplaceAttempt(ports, change));
}

/**
 * Stores the trust that addresses, identity provider accounts and passkeys have gained by a login. Keeps changes made since
 * `read` was loaded.
 */
export async function storeProvenCredentials(
  ports: RecordPorts & PortsWith<'passkeys.updateTrust'>,
  read: User,
  settled: readonly TrustGain[],
): Promise<void> {
  const isPasskey = ({ use }: TrustGain) => use.method === 'webauthn';
  const passkeys = settled.filter(isPasskey);
  const others = settled.filter((each) => !isPasskey(each));
  await awaitAll(
    storeProvenAddresses(ports, read, others),
    ...passkeys.map(({ use, trust }) => ports.passkeys.updateTrust(read.userId, use.credential, trust)),
  );
}
