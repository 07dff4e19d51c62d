import { ServiceError } from '../../errors/service-error.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { CredentialChange, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { RECOVERY_SECONDS } from '../basis/limits.ts';
import { findUserByIdentifier, requireUser } from '../identifiers/find-user.ts';
import type { SmsCountries } from '../identifiers/phone-number.ts';
import { listAddresses, type OwnAddress, storedIdentifier } from '../identifiers/stored-address.ts';
import {
  findUndoableChange,
  isLinkDelayed,
  listPasskeysEnrolledSince,
  listPasskeysRemovedSince,
  undoFromChange,
} from '../trust/changes.ts';
import type { PrivilegePorts } from '../trust/privileged-user.ts';
import { changeUser, createReplaceAttempt, type RecordPorts } from './change-user.ts';
import { admitRecovery, readRecoveryDelay } from './pending-recovery.ts';
import { type ReplacePorts, replaceAndRelease, replaceUser } from './update-user.ts';

export type UndoPorts = ReplacePorts &
  PortsWith<
    | 'userRecords.find'
    | 'sessions.endAllOf'
    | 'passkeyRecords.remove'
    | 'passkeyRecords.restore'
    | 'identifiers'
    | 'users.find'
  >;

/**
 * Removes an address from another user who has only claimed it. Otherwise an attacker could block an undo by creating a user
 * with the address that the undo restores. A user who has verified the address keeps it, and the undo is rejected.
 */
async function takeBack(
  ports: UndoPorts,
  tenant: Tenant,
  { type, attribute, address }: OwnAddress,
  userId: string,
): Promise<void> {
  const identifier = storedIdentifier(type, address.value);
  if (!identifier) return;
  const holder = await findUserByIdentifier(ports, tenant, identifier);
  if (!holder || holder.userId === userId || holder[attribute]?.standing !== 'claimed') return;
  await changeUser(ports, holder, async (current) => {
    if (current[attribute]?.standing !== 'claimed') return current;
    const { [attribute]: _, ...rest } = current;
    return replaceAndRelease(ports, tenant, { user: current, wanted: rest });
  });
}

/**
 * Undoes a change and all later changes, cancels a deletion of the account, and ends all sessions, because some sessions may be
 * the attacker's. `isEnough` returns true if the given proofs suffice to undo the change. Exactly one of several concurrent
 * callers succeeds. Returns the audit events. Errors: `notice_link_over`, `identifier_taken` if another user has verified an
 * address in the meantime, `user_not_found`, `concurrent_change`.
 */
export async function undoChange(
  ports: UndoPorts,
  tenant: Tenant,
  {
    userId,
    changeId,
    isEnough,
  }: {
    readonly userId: string;
    readonly changeId: string;
    readonly isEnough: (change: CredentialChange) => boolean;
  },
  at: number,
): Promise<readonly AuditEvent[]> {
  let before: User | undefined;
  let passkeys: readonly string[] = [];
  let enrolled: readonly string[] = [];
  const user = await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    const change = findUndoableChange(current, changeId, at);
    if (!change || !isEnough(change) || current.erasure?.hasBegun) throw new ServiceError('notice_link_over');
    before = current;
    passkeys = listPasskeysRemovedSince(current, change);
    enrolled = listPasskeysEnrolledSince(current, change);
    const restored = undoFromChange(current, change, at);
    for (const own of listAddresses(restored)) await takeBack(ports, tenant, own, userId);
    // Passkeys are restored before the write that removes the change. Otherwise a crash in between would lose them for good.
    for (const credentialId of passkeys) await ports.passkeyRecords.restore(userId, credentialId);
    return replaceUser(ports, tenant, { user: current, wanted: restored });
  });
  await ports.sessions.endAllOf(userId, at);
  // The undo has superseded the passkey. Without the removal, the attacker could reinstate it by using it together with the
  // mailbox.
  for (const credentialId of enrolled) await ports.passkeyRecords.remove(userId, credentialId, at);
  const events: readonly (readonly [AuditEvent, boolean])[] = [
    ['user.email_restored', before?.email?.value !== user.email?.value],
    ['user.phone_changed', before?.phoneNumber?.value !== user.phoneNumber?.value],
    ['passkey.added', passkeys.length > 0],
    ['passkey.removed', enrolled.length > 0],
    ['user.erasure_cancelled', before?.erasure !== undefined],
  ];
  return events.filter(([, isTold]) => isTold).map(([event]) => event);
}

/** Replaces a user's credential change by the change that `find` returns. Errors: `notice_link_over` if there is none. */
function changeOne(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  find: (user: User) => { readonly change: CredentialChange; readonly next: CredentialChange } | undefined,
): Promise<User> {
  return changeUser(
    ports,
    who,
    createReplaceAttempt(ports, (user) => {
      const found = find(user);
      if (!found) throw new ServiceError('notice_link_over');
      const changes = user.changes.map((each) => (each === found.change ? found.next : each));
      return { ...user, changes };
    }),
  );
}

/**
 * Starts a delay because the owner cannot provide the other factor that undoing a change requires. After the delay, the link in
 * the notice is enough. If the delay has already started, it continues unchanged, and `isNew` is false. Errors:
 * `notice_link_over`, those of `admitRecovery`.
 */
export async function requestUndo(
  ports: RecordPorts & PrivilegePorts & PortsWith<'windows.count'>,
  settings: SmsCountries,
  {
    tenant,
    userId,
    changeId,
  }: { readonly tenant: Tenant; readonly userId: string; readonly changeId: string },
  at: number,
): Promise<Pick<CredentialChange, 'linkFrom' | 'until'> & { readonly isNew: boolean }> {
  const known = await requireUser(ports.userRecords, tenant, userId);
  const found = findUndoableChange(known, changeId, at);
  if (!found) throw new ServiceError('notice_link_over');
  if (isLinkDelayed(found)) return { ...found, isNew: false };
  await admitRecovery(ports, settings, known, at);
  const linkFrom = at + readRecoveryDelay(tenant);
  const until = Math.max(found.until, linkFrom + RECOVERY_SECONDS);
  await changeOne(ports, known, (user) => {
    const change = findUndoableChange(user, changeId, at);
    return change && { change, next: isLinkDelayed(change) ? change : { ...change, linkFrom, until } };
  });
  return { linkFrom, until, isNew: true };
}

/** Cancels the delay that `requestUndo` has started, at any time before the undo. Errors: `notice_link_over`. */
export const cancelUndoRequest = (
  ports: RecordPorts,
  { tenantId }: Pick<Tenant, 'tenantId'>,
  userId: string,
  changeId: string,
): Promise<User> =>
  changeOne(ports, { tenantId, userId }, ({ changes }) => {
    const change = changes.find((each) => each.changeId === changeId && isLinkDelayed(each));
    return change && { change, next: { ...change, linkFrom: change.until } };
  });
