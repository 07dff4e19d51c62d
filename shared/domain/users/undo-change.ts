import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Change, Identifier, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { findHolderId, findOwner, identifiersOf } from '../identifiers/identifier.ts';
import { removedSince, undoableChange, withoutChange } from '../trust/changes.ts';
import { changeUser, replaceWith } from './change-user.ts';
import { type ReplacePorts, replaceAndGiveUp, replaceUser } from './update-user.ts';

type UndoPorts = ReplacePorts &
  Using<'sessions.endAllOf' | 'passkeyRecords.restore' | 'identifiers' | 'users.find'>;

/**
 * Takes an address from a user who has not proven it: an attacker could make one with the address that the owner gets back. One who
 * has proven it keeps it, and the undo is refused.
 */
async function takeBack(
  ports: UndoPorts,
  tenant: Tenant,
  identifier: Identifier,
  userId: string,
): Promise<void> {
  const attribute = identifier.type === 'email' ? 'email' : 'phoneNumber';
  const holderId = await findHolderId(ports, tenant, identifier);
  const holder = holderId === undefined ? undefined : await findOwner(ports, tenant, identifier, holderId);
  if (!holder || holder.userId === userId || holder[attribute]?.standing !== 'claimed') return;
  await changeUser(ports, tenant, holder.userId, async (current) => {
    if (current[attribute]?.standing !== 'claimed') return current;
    const { [attribute]: _, ...rest } = current;
    return replaceAndGiveUp(ports, tenant, current, rest);
  });
}

/**
 * Undoes a change and all later ones, and ends all sessions: who made it may hold some. A deletion of the account is undone with
 * it. The write removes the change, so of many callers exactly one undoes it. `check` may refuse.
 * Errors: `notice_link_over`, `identifier_taken` when another user has proven an address by now, `user_not_found`,
 * `concurrent_change`.
 */
export async function undoChange(
  ports: UndoPorts,
  tenant: Tenant,
  userId: string,
  changeId: string,
  check: (change: Change) => void,
  at: number,
): Promise<{ readonly user: User; readonly hadErasure: boolean }> {
  let hadErasure = false;
  let passkeys: readonly string[] = [];
  const user = await changeUser(ports, tenant, userId, async (current) => {
    const change = undoableChange(current, changeId, at);
    if (!change || current.erasure?.hasBegun) throw new ServiceError('notice_link_over');
    check(change);
    hadErasure = current.erasure !== undefined;
    passkeys = removedSince(current, change);
    const restored = withoutChange(current, change, at);
    for (const identifier of identifiersOf(restored))
      if (identifier.type === 'email' || identifier.type === 'phone_number')
        await takeBack(ports, tenant, identifier, userId);
    return replaceUser(ports, tenant, current, restored);
  });
  for (const credentialId of passkeys) await ports.passkeyRecords.restore(userId, credentialId);
  await ports.sessions.endAllOf(userId, at);
  return { user, hadErasure };
}

/**
 * Lets the link alone undo a change that took two kinds, from `linkFrom` (epoch seconds) on: the owner cannot give another kind.
 * One that was asked for before stays. Errors: `notice_link_over`.
 */
export async function waitForUndo(
  ports: Using<'userRecords.find' | 'userRecords.replace'>,
  tenant: Tenant,
  userId: string,
  changeId: string,
  { linkFrom, until }: Pick<Change, 'linkFrom' | 'until'>,
  at: number,
): Promise<{ readonly linkFrom: number; readonly isNew: boolean }> {
  let result = { linkFrom, isNew: false };
  await changeUser(ports, tenant, userId, async (user) => {
    const change = undoableChange(user, changeId, at);
    if (!change) throw new ServiceError('notice_link_over');
    result = { linkFrom: change.linkFrom, isNew: false };
    if (change.linkFrom < change.until) return user;
    result = { linkFrom, isNew: true };
    const waiting = { ...change, linkFrom, until: Math.max(change.until, until) };
    const changes = user.changes.map((each) => (each === change ? waiting : each));
    return replaceWith(ports, (current) => ({ ...current, changes }))(user);
  });
  return result;
}
