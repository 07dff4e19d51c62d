import { ServiceError } from '../../errors/service-error.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Change, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';

import { RECOVERY_SECONDS } from '../basis/limits.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { findHolderId, findOwner } from '../identifiers/identifier.ts';
import type { SmsCountries } from '../identifiers/phone-number.ts';
import { addressesOf, type OwnAddress, storedIdentifier } from '../identifiers/stored-address.ts';
import { enrolledSince, isWaiting, removedSince, undoableChange, withoutChange } from '../trust/changes.ts';
import type { PowerPorts } from '../trust/power.ts';
import { changeUser, type RecordPorts, replaceWith } from './change-user.ts';
import { type ReplacePorts, replaceAndGiveUp, replaceUser } from './update-user.ts';
import { admitWait, delayOf } from './wait.ts';

export type UndoPorts = ReplacePorts &
  Using<
    | 'userRecords.find'
    | 'sessions.endAllOf'
    | 'passkeyRecords.remove'
    | 'passkeyRecords.restore'
    | 'identifiers'
    | 'users.find'
  >;

/**
 * Takes an address from a user who has not proven it: an attacker could make one with the address that the owner gets back. One who
 * has proven it keeps it, and the undo is refused.
 */
async function takeBack(
  ports: UndoPorts,
  tenant: Tenant,
  { type, attribute, address }: OwnAddress,
  userId: string,
): Promise<void> {
  const identifier = storedIdentifier(type, address.value);
  if (!identifier) return;
  const holderId = await findHolderId(ports, tenant, identifier);
  const holder = holderId === undefined ? undefined : await findOwner(ports, tenant, identifier, holderId);
  if (!holder || holder.userId === userId || holder[attribute]?.standing !== 'claimed') return;
  await changeUser(ports, holder, async (current) => {
    if (current[attribute]?.standing !== 'claimed') return current;
    const { [attribute]: _, ...rest } = current;
    return replaceAndGiveUp(ports, tenant, { user: current, wanted: rest });
  });
}

/**
 * Undoes a change and all later ones, and ends all sessions: who made it may hold some. A deletion of the account is undone with
 * it. The write removes the change, so of many callers exactly one undoes it. `isEnough`: whether the change is undone by what was
 * given. Returns the events that tell of it.
 * Errors: `notice_link_over`, `identifier_taken` when another user has proven an address by now, `user_not_found`,
 * `concurrent_change`.
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
    readonly isEnough: (change: Change) => boolean;
  },
  at: number,
): Promise<readonly AuditEvent[]> {
  let before: User | undefined;
  let hasPasskeys = false;
  let enrolled: readonly string[] = [];
  const user = await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    const change = undoableChange(current, changeId, at);
    if (!change || !isEnough(change) || current.erasure?.hasBegun) throw new ServiceError('notice_link_over');
    before = current;
    const passkeys = removedSince(current, change);
    hasPasskeys = passkeys.length > 0;
    enrolled = enrolledSince(current, change);
    const restored = withoutChange(current, change, at);
    for (const own of addressesOf(restored)) await takeBack(ports, tenant, own, userId);
    // Before the write that removes the change: a crash between the two would lose them for good.
    for (const credentialId of passkeys) await ports.passkeyRecords.restore(userId, credentialId);
    return replaceUser(ports, tenant, { user: current, wanted: restored });
  });
  await ports.sessions.endAllOf(userId, at);
  // It is shut out by then. Who made it could give it beside the mailbox, which would bring it back.
  for (const credentialId of enrolled) await ports.passkeyRecords.remove(userId, credentialId, at);
  const events: readonly (readonly [AuditEvent, boolean])[] = [
    ['user.email_restored', before?.email?.value !== user.email?.value],
    ['user.phone_changed', before?.phoneNumber?.value !== user.phoneNumber?.value],
    ['passkey.added', hasPasskeys],
    ['passkey.removed', enrolled.length > 0],
    ['user.erasure_cancelled', before?.erasure !== undefined],
  ];
  return events.filter(([, isTold]) => isTold).map(([event]) => event);
}

/** The user with that change in place of what `find` gives of it. Errors: `notice_link_over` when there is none. */
function changeOne(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  find: (user: User) => { readonly change: Change; readonly next: Change } | undefined,
): Promise<User> {
  return changeUser(
    ports,
    who,
    replaceWith(ports, (user) => {
      const found = find(user);
      if (!found) throw new ServiceError('notice_link_over');
      const changes = user.changes.map((each) => (each === found.change ? found.next : each));
      return { ...user, changes };
    }),
  );
}

/**
 * Lets the link alone undo a change that took two kinds, once the tenant's delay is over: the owner cannot give another kind.
 * One that was asked for before stays. `isNew`: this call began it. Errors: `notice_link_over`, those of `admitWait`.
 */
export async function waitForUndo(
  ports: RecordPorts & PowerPorts & Using<'windows.count'>,
  settings: SmsCountries,
  {
    tenant,
    userId,
    changeId,
  }: { readonly tenant: Tenant; readonly userId: string; readonly changeId: string },
  at: number,
): Promise<Pick<Change, 'linkFrom' | 'until'> & { readonly isNew: boolean }> {
  const known = await requireUser(ports.userRecords, tenant, userId);
  const found = undoableChange(known, changeId, at);
  if (!found) throw new ServiceError('notice_link_over');
  if (isWaiting(found)) return { ...found, isNew: false };
  await admitWait(ports, settings, known, at);
  const linkFrom = at + delayOf(tenant);
  const until = Math.max(found.until, linkFrom + RECOVERY_SECONDS);
  await changeOne(ports, known, (user) => {
    const change = undoableChange(user, changeId, at);
    return change && { change, next: isWaiting(change) ? change : { ...change, linkFrom, until } };
  });
  return { linkFrom, until, isNew: true };
}

/** Ends such a wait, at any time before the undo. Errors: `notice_link_over`. */
export const endUndoWait = (
  ports: RecordPorts,
  { tenantId }: Pick<Tenant, 'tenantId'>,
  userId: string,
  changeId: string,
): Promise<User> =>
  changeOne(ports, { tenantId, userId }, ({ changes }) => {
    const change = changes.find((each) => each.changeId === changeId && isWaiting(each));
    return change && { change, next: { ...change, linkFrom: change.until } };
  });
