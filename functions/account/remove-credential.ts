import { PASSKEY_LEAVING_SECONDS } from '../../shared/domain/basis/limits.ts';
import { identityName } from '../../shared/domain/identifiers/sleep.ts';
import { changeUser, replaceWith } from '../../shared/domain/users/change-user.ts';
import { replaceAndGiveUp } from '../../shared/domain/users/update-user.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import type { Passkey, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';

/**
 * Whether a user may lose what is not in these any more. Two removals at once must not take the last two ways in: so each one
 * moves the version of the user, and is judged anew when another came first.
 */
export type KeepsWayIn = (user: User, passkeys: readonly Passkey[]) => boolean;

const leavingNow = ({ leavingPasskeys = [] }: User, now: number) =>
  leavingPasskeys.filter(({ at }) => now - at < PASSKEY_LEAVING_SECONDS);

/** The passkeys of the user without those that another call is removing. Call after the user was read. */
async function passkeysKept(
  ports: Using<'passkeyRecords.listOf'>,
  user: User,
  now: number,
): Promise<readonly Passkey[]> {
  const leaving = new Set(leavingNow(user, now).map(({ credentialId }) => credentialId));
  const own = await ports.passkeyRecords.listOf(user.userId);
  return own.filter(({ credentialId }) => !leaving.has(credentialId));
}

/**
 * Removes a passkey unless it is the last way in. `unknown`: the user has none of that ID. Errors: `user_not_found`,
 * `concurrent_change`.
 */
export async function removePasskey(
  ports: Using<
    'userRecords.find' | 'userRecords.replace' | 'passkeyRecords.listOf' | 'passkeyRecords.remove'
  >,
  tenant: Tenant,
  userId: string,
  credentialId: string,
  now: number,
  keepsWayIn: KeepsWayIn,
): Promise<'removed' | 'last' | 'unknown'> {
  let refused: 'last' | 'unknown' | undefined;
  await changeUser(ports, tenant, userId, async (user) => {
    const kept = await passkeysKept(ports, user, now);
    const rest = kept.filter((own) => own.credentialId !== credentialId);
    refused = rest.length === kept.length ? 'unknown' : keepsWayIn(user, rest) ? undefined : 'last';
    if (refused) return user;
    const leavingPasskeys = [...leavingNow(user, now), { credentialId, at: now }];
    return replaceWith(ports, (current) => ({ ...current, leavingPasskeys }))(user);
  });
  if (refused) return refused;
  return (await ports.passkeyRecords.remove(userId, credentialId)) ? 'removed' : 'unknown';
}

/**
 * Removes an account at a provider from the user, by its name, unless it is the last way in. Errors: `user_not_found`,
 * `concurrent_change`.
 */
export async function unlinkIdentity(
  ports: Using<
    'userRecords.find' | 'userRecords.replace' | 'identifierReservations.release' | 'passkeyRecords.listOf'
  >,
  tenant: Tenant,
  userId: string,
  name: string,
  now: number,
  keepsWayIn: KeepsWayIn,
): Promise<'removed' | 'last' | 'unknown'> {
  let outcome: 'removed' | 'last' | 'unknown' = 'removed';
  await changeUser(ports, tenant, userId, async (current) => {
    const identities = current.identities.filter((identity) => identityName(identity) !== name);
    const wanted = { ...current, identities, updatedAt: now };
    outcome = 'unknown';
    if (identities.length === current.identities.length) return current;
    outcome = keepsWayIn(wanted, await passkeysKept(ports, current, now)) ? 'removed' : 'last';
    return outcome === 'last' ? current : replaceAndGiveUp(ports, tenant, current, wanted);
  });
  return outcome;
}
