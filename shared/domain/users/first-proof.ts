import type { AuditContext } from '../../operation.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { provenAddress } from '../identifiers/proven-address.ts';
import { changeUser } from './change-user.ts';
import { type GiveUpPorts, replaceAndGiveUp } from './update-user.ts';

/**
 * Pre-hijacking (Sudhodanan and Paverd, USENIX Security 2022): an attacker makes an account under a victim's address and
 * waits for the victim. The first to prove the address gets the account alone.
 */

/** No address of the user is proven, but a login has happened: by passkey, provider or another credential. */
export function isUnproven(user: User): boolean {
  return user.lastAuthAt !== undefined && !user.email?.verified && !user.phoneNumber?.verified;
}

export type FirstProofPorts = GiveUpPorts &
  Using<
    | 'userRecords.find'
    | 'sessions.endAllOf'
    | 'passkeyRecords.listOf'
    | 'passkeyRecords.remove'
    | 'deviceKeys.listOf'
    | 'deviceKeys.remove'
  >;

/** Ends every session of the user, and removes passkeys, device keys and accounts at providers. Safe to repeat. */
export async function dropUnproven(
  ports: FirstProofPorts,
  tenant: Tenant,
  userId: string,
  at: number,
): Promise<User> {
  for (const { credentialId } of await ports.passkeyRecords.listOf(userId))
    await ports.passkeyRecords.remove(userId, credentialId);
  for (const { keyId } of await ports.deviceKeys.listOf(userId)) await ports.deviceKeys.remove(userId, keyId);
  const user = await changeUser(ports, tenant, userId, (current) =>
    replaceAndGiveUp(ports, tenant, current, { ...current, identities: [], updatedAt: at }),
  );
  await ports.sessions.endAllOf(userId, at);
  return user;
}

/**
 * Call after a credential has proven an address of the user outside of their sessions: within one, the person has logged in
 * before. Returns the user after the change.
 */
export async function dropBeforeFirstProof(
  ports: FirstProofPorts,
  tenant: Tenant,
  user: User,
  deliveredToHash: string | undefined,
  at: number,
  audit: (context: AuditContext) => void = () => {},
): Promise<User> {
  if (!isUnproven(user) || provenAddress(tenant, user, deliveredToHash) === undefined) return user;
  const dropped = await dropUnproven(ports, tenant, user.userId, at);
  audit({ events: ['user.reclaimed'] });
  return dropped;
}
