import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { FormerAddress, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { undoableChange, withFormerAddress } from '../identifiers/former-addresses.ts';
import { fallenAsleep, nextSleep } from '../identifiers/sleep.ts';
import { changeUser } from './change-user.ts';
import { type ReplacePorts, replaceUser } from './update-user.ts';

/** What the other has bound meanwhile sleeps, until it is proven beside the former address. */
function aloneAwake(user: User, { changedAt }: FormerAddress, at: number): User {
  const sleepsAt = nextSleep(user, at);
  return {
    ...fallenAsleep(user, sleepsAt),
    undone: { changedAt, sleptAt: sleepsAt },
    ...(user.email && { email: { ...user.email, wokenAt: sleepsAt } }),
  };
}

/**
 * Gives the user the former address of a change again and ends all sessions: who changed it may hold some. All other proofs
 * fall asleep, and a deletion of the account is undone. The write that restores the address removes the change, so of many callers exactly one undoes it.
 * Errors: `notice_link_over`, `identifier_taken` when the address is another user's by now, `user_not_found`,
 * `concurrent_change`.
 */
export async function undoAddressChange(
  ports: ReplacePorts & Using<'sessions.endAllOf'>,
  tenant: Tenant,
  userId: string,
  changeId: string,
  at: number,
): Promise<{ readonly user: User; readonly hadErasure: boolean }> {
  let hadErasure = false;
  const user = await changeUser(ports, tenant, userId, (current) => {
    const change = undoableChange(current, changeId, at);
    if (!change || current.erasure?.hasBegun) throw new ServiceError('notice_link_over');
    hadErasure = current.erasure !== undefined;
    return replaceUser(
      ports,
      tenant,
      current,
      aloneAwake(withFormerAddress(current, change, at), change, at),
    );
  });
  await ports.sessions.endAllOf(userId, at);
  return { user, hadErasure };
}
