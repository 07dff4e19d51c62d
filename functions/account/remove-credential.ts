import { FORMER_ADDRESS_SECONDS } from '../../shared/domain/basis/limits.ts';
import { recordAddressChanges, recordPasskeyRemoval } from '../../shared/domain/trust/changes.ts';
import { identityName } from '../../shared/domain/trust/names.ts';
import { changeUser, createReplaceAttempt } from '../../shared/domain/users/change-user.ts';
import { replaceAndRelease } from '../../shared/domain/users/update-user.ts';
import { hasName } from '../../shared/domain/users/user-record.ts';
import type { AuditEvent } from '../../shared/ports/audit.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import type { CredentialChange, Passkey, User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { type AddressType, addressTypes } from '../../shared/records/channels.ts';

/**
 * Function that returns true if a user can still log in with the given record and passkeys. The function runs again after a
 * version conflict, so that two concurrent removals cannot remove the last two ways to log in.
 */
export type CanStillLogIn = (user: User, passkeys: readonly Passkey[]) => boolean;

/** Creates the map from the outcome of a removal to the result of the form: an audit event, `last`, or undefined. */
export const toRemovalResults = (event: AuditEvent) =>
  ({ removed: { events: [event] }, last: 'last', unknown: undefined }) as const;

/** Lists the user's passkeys except those that a change has removed, even if their records are not deleted yet. */
async function passkeysKept(
  ports: PortsWith<'passkeyRecords.listOf'>,
  user: User,
): Promise<readonly Passkey[]> {
  const removed = user.changes.flatMap(({ what }) =>
    what.attribute === 'passkey' ? [what.credentialId] : [],
  );
  const own = await ports.passkeyRecords.listOf(user.userId);
  return own.filter(({ credentialId }) => !removed.includes(credentialId));
}

/** Context of a credential removal: the user, the check that the user can still log in, and how the removal can be undone. */
export interface RemovalContext {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly undoCondition: CredentialChange['undoCondition'];
  readonly canStillLogIn: CanStillLogIn;
  /** Time of the removal in epoch seconds. */
  readonly now: number;
}

/**
 * Removes a passkey unless it is the user's last way to log in.
 * @returns `unknown` if the user has no passkey with this ID
 * @throws `user_not_found`, `concurrent_change`
 */
export async function removePasskey(
  ports: PortsWith<
    'userRecords.find' | 'userRecords.replace' | 'passkeyRecords.listOf' | 'passkeyRecords.remove'
  >,
  { tenant, userId, undoCondition, canStillLogIn, now }: RemovalContext,
  credentialId: string,
): Promise<'removed' | 'last' | 'unknown'> {
  let refused: 'last' | 'unknown' | undefined;
  await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (user) => {
    const kept = await passkeysKept(ports, user);
    const rest = kept.filter((own) => own.credentialId !== credentialId);
    refused = rest.length === kept.length ? 'unknown' : canStillLogIn(user, rest) ? undefined : 'last';
    if (refused) return user;
    return createReplaceAttempt(ports, (current) =>
      recordPasskeyRemoval(current, credentialId, undoCondition, now),
    )(user);
  });
  if (refused) return refused;
  return (await ports.passkeyRecords.remove(userId, credentialId, now + FORMER_ADDRESS_SECONDS))
    ? 'removed'
    : 'unknown';
}

/**
 * Unlinks an account at a social provider unless it is the user's last way to log in.
 * @param name identifier of the linked account on the account page (`identityName`)
 * @throws `user_not_found`, `concurrent_change`
 */
export async function unlinkIdentity(
  ports: PortsWith<
    'userRecords.find' | 'userRecords.replace' | 'identifierReservations.release' | 'passkeyRecords.listOf'
  >,
  { tenant, userId, canStillLogIn, now }: RemovalContext,
  name: string,
): Promise<'removed' | 'last' | 'unknown'> {
  let outcome: 'removed' | 'last' | 'unknown' = 'removed';
  await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    const identities = current.identities.filter((identity) => identityName(identity) !== name);
    const wanted = { ...current, identities, updatedAt: now };
    outcome = 'unknown';
    if (identities.length === current.identities.length) return current;
    outcome = canStillLogIn(wanted, await passkeysKept(ports, current)) ? 'removed' : 'last';
    return outcome === 'last' ? current : replaceAndRelease(ports, tenant, { user: current, wanted });
  });
  return outcome;
}

/** Returns the user's record without one address; undefined if the user would have no identifier or no way to log in. */
export function withoutAddress(
  user: User,
  type: AddressType,
  passkeys: readonly Passkey[],
  canStillLogIn: CanStillLogIn,
): User | undefined {
  const { [addressTypes[type].attribute]: _, ...rest } = user;
  return hasName(rest) && canStillLogIn(rest, passkeys) ? rest : undefined;
}

/**
 * Removes a user's email address or phone number unless it is the last way to log in. Ends all other sessions, because an
 * attacker who can read the mailbox may have a session. Calls `notify`, which causes the notice, as soon as the address is
 * removed.
 * @throws `user_not_found`, `concurrent_change`
 */
export async function removeAddress(
  ports: PortsWith<
    | 'userRecords.find'
    | 'userRecords.replace'
    | 'identifierReservations.release'
    | 'passkeyRecords.listOf'
    | 'sessions.endAllOf'
  >,
  { tenant, userId, undoCondition, canStillLogIn, now }: RemovalContext,
  type: AddressType,
  { ownSessionId, notify }: { readonly ownSessionId: string; readonly notify: () => void },
): Promise<'removed' | 'last' | 'unknown'> {
  let outcome: 'removed' | 'last' | 'unknown' = 'removed';
  const endSessions = () => ports.sessions.endAllOf(userId, now, ownSessionId);
  await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    outcome = 'unknown';
    if (!current[addressTypes[type].attribute]) return current;
    const wanted = withoutAddress(current, type, await passkeysKept(ports, current), canStillLogIn);
    outcome = wanted ? 'removed' : 'last';
    if (!wanted) return current;
    await endSessions();
    const next = recordAddressChanges(current, { ...wanted, updatedAt: now }, undoCondition, now);
    return replaceAndRelease(ports, tenant, { user: current, wanted: next });
  });
  if (outcome !== 'removed') return outcome;
  // The notice is requested before a step that can fail, because the removed address must get the link to undo the removal.
  notify();
  // Ends the sessions that began after the first call of `endSessions`, while the user could still log in with the address.
  await endSessions();
  return outcome;
}
