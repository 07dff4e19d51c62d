import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import { FORMER_ADDRESSES_MAX } from '../basis/limits.ts';
import { maySend } from '../identifiers/may-send.ts';
import type { SmsCountries } from '../identifiers/phone-number.ts';
import { deliveriesOfOperator } from '../sending/notice.ts';
import { isAddress } from '../trust/changes.ts';
import { TENANT } from '../trust/generations.ts';
import type { ChangedBy } from '../trust/given-address.ts';
import { delayOf, NEVER } from '../users/wait.ts';

/**
 * An operator below admin who sets an address to an own one must not take over the account by it. The address logs in by itself
 * only after the delay of a recovery, in which each address of the user can stop it. Nothing else that happens moves this time.
 */

/**
 * Returns when an address logs in by itself that an operator sets at `at` (epoch seconds): never if nobody can be notified, or if
 * the user has more changes than are kept with an undo.
 */
function opensAtFor(tenant: Tenant, settings: SmsCountries, user: User, at: number): number {
  const delay = delayOf(tenant);
  const isTold = deliveriesOfOperator(user, delay, at).some(({ channel, to }) =>
    maySend(settings, channel, to),
  );
  const changes = user.changes.filter(({ what, until }) => isAddress(what) && until > at);
  return isTold && changes.length < FORMER_ADDRESSES_MAX ? at + delay : NEVER;
}

/** How an operator below admin changes the addresses of a user. */
export const changedByOperator = (
  tenant: Tenant,
  settings: SmsCountries,
  user: User,
  at: number,
): ChangedBy => ({ how: 'operator', scope: TENANT, opensAt: opensAtFor(tenant, settings, user, at) });
