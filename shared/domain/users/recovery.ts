import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { AuthenticationMethod } from '../../ports/flows.ts';
import type { Recovery, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import {
  DAY_SECONDS,
  RECOVERIES_PER_DAY,
  RECOVERY_DELAY_HOURS,
  RECOVERY_SECONDS,
  SECONDS_PER_HOUR,
} from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret } from '../basis/random.ts';
import { kindOf } from '../credentials/mfa.ts';
import { isOpen } from '../credentials/recovering.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { reachesOwner } from '../identifiers/former-addresses.ts';
import { mayText, type SmsCountries } from '../identifiers/phone-number.ts';
import { changeUser, replaceWith } from './change-user.ts';

/**
 * The way back for a user who has lost their second factor (NIST SP 800-63B-4 §4.2). Who reads one mailbox can ask for it:
 * so every proven address is told, it takes a day to count, and each of them can stop it.
 */

type RecordPorts = Using<'userRecords.find' | 'userRecords.replace'>;

/** Without an address to tell, a stranger's request would go unseen. */
const canBeTold = ({ email, phoneNumber }: User, settings: SmsCountries): boolean =>
  (email && reachesOwner(email)) ||
  (phoneNumber !== undefined && reachesOwner(phoneNumber) && mayText(settings, phoneNumber.value));

/**
 * Begins a recovery, unless one is open. `isNew`: this call began it. Errors: `recovery_impossible` when no address can be
 * told, `rate_limited`.
 */
export async function requestRecovery(
  ports: RecordPorts & Using<'windows.count'>,
  settings: SmsCountries,
  tenant: Tenant,
  userId: string,
  provenBy: readonly AuthenticationMethod[],
  at: number,
): Promise<{ readonly recovery: Recovery; readonly isNew: boolean }> {
  const known = await requireUser(ports.userRecords, tenant, userId);
  if (isOpen(known.recovery, at)) return { recovery: known.recovery, isNew: false };
  if (!canBeTold(known, settings)) throw new ServiceError('recovery_impossible');
  const key = `recovery#${hashSecret(userId)}`;
  const counted = await ports.windows.count(key, [{ seconds: DAY_SECONDS, max: RECOVERIES_PER_DAY }], at);
  if (!counted.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: counted.retryAfterSeconds });
  const effectiveAt = at + (tenant.recoveryDelayHours ?? RECOVERY_DELAY_HOURS) * SECONDS_PER_HOUR;
  const recovery: Recovery = {
    requestedAt: at,
    effectiveAt,
    endsAt: effectiveAt + RECOVERY_SECONDS,
    provenBy: [...new Set(provenBy.map(kindOf))],
  };
  // One that was granted meanwhile stays.
  const begun = (user: User) => (isOpen(user.recovery, at) ? user : { ...user, recovery });
  const user = await changeUser(ports, tenant, userId, replaceWith(ports, begun));
  return { recovery: user.recovery ?? recovery, isNew: user.recovery === recovery };
}

/** Lets a recovery count at once, for a caller who has made sure of the user in another way. */
export function grantRecovery(
  ports: RecordPorts,
  tenant: Tenant,
  userId: string,
  at: number,
  check: (user: User) => void = () => {},
): Promise<User> {
  const granted = (user: User): User => {
    check(user);
    const before = isOpen(user.recovery, at) ? user.recovery : undefined;
    const recovery = omitUndefined<Recovery>({
      requestedAt: before?.requestedAt ?? at,
      effectiveAt: at,
      endsAt: at + RECOVERY_SECONDS,
      provenBy: before?.provenBy,
    });
    return { ...user, recovery, updatedAt: at };
  };
  return changeUser(ports, tenant, userId, replaceWith(ports, granted));
}

/** Ends an open recovery, of `requestedAt` if given. Of many callers one ends it. Errors: `notice_link_over`. */
export function cancelRecovery(
  ports: RecordPorts,
  tenant: Pick<Tenant, 'tenantId'>,
  userId: string,
  at: number,
  requestedAt?: number,
): Promise<User> {
  const cancelled = ({ recovery, ...user }: User): User => {
    const isMeant = requestedAt === undefined || recovery?.requestedAt === requestedAt;
    if (!isOpen(recovery, at) || !isMeant) throw new ServiceError('notice_link_over');
    return user;
  };
  return changeUser(ports, tenant, userId, replaceWith(ports, cancelled));
}
