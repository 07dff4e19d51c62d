import { FORMER_ADDRESS_SECONDS } from '../../shared/domain/basis/limits.ts';
import { withChanges, withRemoved } from '../../shared/domain/trust/changes.ts';
import { identityName } from '../../shared/domain/trust/names.ts';
import { changeUser, replaceWith } from '../../shared/domain/users/change-user.ts';
import { replaceAndGiveUp } from '../../shared/domain/users/update-user.ts';
import { hasName } from '../../shared/domain/users/user-record.ts';
import type { AuditEvent } from '../../shared/ports/audit.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import type { Change, Passkey, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';

/**
 * Whether a user may lose what is not in these any more. Two removals at once must not take the last two ways in: so each one
 * moves the version of the user, and is judged anew when another came first.
 */
export type KeepsWayIn = (user: User, passkeys: readonly Passkey[]) => boolean;

/** What a form of the account page says of each outcome. */
export const outcomes = (event: AuditEvent) =>
  ({ removed: { events: [event] }, last: 'last', unknown: undefined }) as const;

/** The passkeys of the user without those that a change has removed, whether or not they are gone yet. */
async function passkeysKept(ports: Using<'passkeyRecords.listOf'>, user: User): Promise<readonly Passkey[]> {
  const removed = user.changes.flatMap(({ what }) =>
    what.attribute === 'passkey' ? [what.credentialId] : [],
  );
  const own = await ports.passkeyRecords.listOf(user.userId);
  return own.filter(({ credentialId }) => !removed.includes(credentialId));
}

/** Who removes something that logs in, and what must be left. */
export interface Removal {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly undoneBy: Change['undoneBy'];
  readonly keepsWayIn: KeepsWayIn;
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * Removes a passkey unless it is the last way in. `unknown`: the user has none of that ID. Errors: `user_not_found`,
 * `concurrent_change`.
 */
export async function removePasskey(
  ports: Using<
    'userRecords.find' | 'userRecords.replace' | 'passkeyRecords.listOf' | 'passkeyRecords.remove'
  >,
  { tenant, userId, undoneBy, keepsWayIn, now }: Removal,
  credentialId: string,
): Promise<'removed' | 'last' | 'unknown'> {
  let refused: 'last' | 'unknown' | undefined;
  await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (user) => {
    const kept = await passkeysKept(ports, user);
    const rest = kept.filter((own) => own.credentialId !== credentialId);
    refused = rest.length === kept.length ? 'unknown' : keepsWayIn(user, rest) ? undefined : 'last';
    if (refused) return user;
    return replaceWith(ports, (current) => withRemoved(current, credentialId, undoneBy, now))(user);
  });
  if (refused) return refused;
  return (await ports.passkeyRecords.remove(userId, credentialId, now + FORMER_ADDRESS_SECONDS))
    ? 'removed'
    : 'unknown';
}

/**
 * Removes an account at a provider from the user, by its name, unless it is the last way in. Errors: `user_not_found`,
 * `concurrent_change`.
 */
export async function unlinkIdentity(
  ports: Using<
    'userRecords.find' | 'userRecords.replace' | 'identifierReservations.release' | 'passkeyRecords.listOf'
  >,
  { tenant, userId, keepsWayIn, now }: Removal,
  name: string,
): Promise<'removed' | 'last' | 'unknown'> {
  let outcome: 'removed' | 'last' | 'unknown' = 'removed';
  await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    const identities = current.identities.filter((identity) => identityName(identity) !== name);
    const wanted = { ...current, identities, updatedAt: now };
    outcome = 'unknown';
    if (identities.length === current.identities.length) return current;
    outcome = keepsWayIn(wanted, await passkeysKept(ports, current)) ? 'removed' : 'last';
    return outcome === 'last' ? current : replaceAndGiveUp(ports, tenant, { user: current, wanted });
  });
  return outcome;
}

const ATTRIBUTES = { email: 'email', phone: 'phoneNumber' } as const;
export type AddressKind = keyof typeof ATTRIBUTES;

/** The user without the address. Undefined: nothing else is left by which the user is named or logs in. */
export function withoutAddress(
  user: User,
  kind: AddressKind,
  passkeys: readonly Passkey[],
  keepsWayIn: KeepsWayIn,
): User | undefined {
  const { [ATTRIBUTES[kind]]: _, ...rest } = user;
  return hasName(rest) && keepsWayIn(rest, passkeys) ? rest : undefined;
}

/**
 * Removes the email address or number of a user unless it is the last way in. As after a change, other sessions end: who reads the
 * mailbox may hold one. `tell` is called when it is gone. Errors: `user_not_found`, `concurrent_change`.
 */
export async function removeAddress(
  ports: Using<
    | 'userRecords.find'
    | 'userRecords.replace'
    | 'identifierReservations.release'
    | 'passkeyRecords.listOf'
    | 'sessions.endAllOf'
  >,
  { tenant, userId, undoneBy, keepsWayIn, now }: Removal,
  kind: AddressKind,
  { ownSessionId, tell }: { readonly ownSessionId: string; readonly tell: () => void },
): Promise<'removed' | 'last' | 'unknown'> {
  let outcome: 'removed' | 'last' | 'unknown' = 'removed';
  const endSessions = () => ports.sessions.endAllOf(userId, now, ownSessionId);
  await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    outcome = 'unknown';
    if (!current[ATTRIBUTES[kind]]) return current;
    const wanted = withoutAddress(current, kind, await passkeysKept(ports, current), keepsWayIn);
    outcome = wanted ? 'removed' : 'last';
    if (!wanted) return current;
    await endSessions();
    const next = withChanges(current, { ...wanted, updatedAt: now }, undoneBy, now);
    return replaceAndGiveUp(ports, tenant, { user: current, wanted: next });
  });
  if (outcome !== 'removed') return outcome;
  // Before what may fail: the former address can undo it.
  tell();
  // For those that began between.
  await endSessions();
  return outcome;
}
