import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { AuthenticationMethod } from '../../ports/flows.ts';
import type { PendingRecovery, User } from '../../ports/people.ts';
import type { FactorType } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { addressTypes } from '../../records/channels.ts';
import { recoveryFields } from '../../records/user.ts';
import {
  DAY_SECONDS,
  RECOVERIES_PER_DAY,
  RECOVERY_DELAY_HOURS,
  RECOVERY_SECONDS,
  SECONDS_PER_HOUR,
} from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import { requireUser } from '../identifiers/find-user.ts';
import { maySend } from '../identifiers/may-send.ts';
import type { SmsCountries } from '../identifiers/phone-number.ts';
import { listAddresses } from '../identifiers/stored-address.ts';
import { isNotified } from '../trust/changes.ts';
import { isRecoveryInEffect, toFactorType } from '../trust/factor-types.ts';
import { isPrivilegedUser, type PrivilegePorts } from '../trust/privileged-user.ts';
import { changeUser, createReplaceAttempt, type RecordPorts } from './change-user.ts';

// Recovery after the loss of a factor. A report that a factor is lost proves nothing (NIST SP 800-63B-4 §4.2). An attacker who
// reads a mailbox could report the phone as lost, and a risk signal can disable a number. Therefore, every verified address is
// notified, the factor is still required during a delay, and each address can cancel the recovery.

/**
 * Time that is never reached: the last RFC 3339 date. It marks recoveries and addresses that do not take effect by themselves.
 */
export const NEVER = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** Returns true if a recovery is pending, or its delay has passed and it can still be cancelled. */
export const isRecoveryOpen = (
  recovery: PendingRecovery | undefined,
  at: number,
): recovery is PendingRecovery => recovery !== undefined && at < recovery.endsAt;

/**
 * Returns true if the user must be notified of a pending recovery. After its delay, a lost or risky factor is no longer
 * required.
 */
export const mustNotifyRecovery = (
  recovery: PendingRecovery | undefined,
  at: number,
): recovery is PendingRecovery =>
  isRecoveryOpen(recovery, at) && recovery.cause !== 'granted' && recovery.effectiveAt < NEVER;

/** Returns the recovery delay of a tenant in seconds, in which a lost factor is still required. */
export const readRecoveryDelay = ({ recoveryDelayHours = RECOVERY_DELAY_HOURS }: Tenant): number =>
  recoveryDelayHours * SECONDS_PER_HOUR;

/** Returns true if a login cancels a recovery, because the login used the factor that was reported lost. */
export const cancelsRecovery = (
  recovery: PendingRecovery,
  method: AuthenticationMethod,
  at: number,
): boolean => {
  const kind = toFactorType(method);
  return (
    recovery.cause === 'lost' &&
    isRecoveryOpen(recovery, at) &&
    kind !== undefined &&
    recovery.kinds.includes(kind)
  );
};

function newRecovery(
  tenant: Tenant,
  before: PendingRecovery | undefined,
  {
    cause,
    kinds,
    isPrivileged,
  }: Pick<PendingRecovery, 'cause' | 'kinds'> & { readonly isPrivileged: boolean },
  at: number,
): PendingRecovery {
  const effectiveAt = isPrivileged ? NEVER : at + readRecoveryDelay(tenant);
  const endsAt = isPrivileged ? NEVER : effectiveAt + RECOVERY_SECONDS;
  return { cause, kinds: [...new Set([...(before?.kinds ?? []), ...kinds])], since: at, effectiveAt, endsAt };
}

/** Returns true if at least one address of the user can be notified of a recovery, so that an attacker's request is noticed. */
export const canBeNotified = (user: User, settings: SmsCountries): boolean =>
  listAddresses(user).some(
    ({ type, address }) =>
      isNotified(user, address) && maySend(settings, addressTypes[type].noticeChannel, address.value),
  );

/**
 * Counts a recovery request against its limit. Errors: `recovery_impossible` if no address can be notified or the user has
 * rights over other users (`isPrivilegedUser`), `rate_limited`.
 */
export async function admitRecovery(
  ports: PrivilegePorts & PortsWith<'windows.count'>,
  settings: SmsCountries,
  user: User,
  at: number,
): Promise<void> {
  if (!canBeNotified(user, settings) || (await isPrivilegedUser(ports, user)))
    throw new ServiceError('recovery_impossible');
  const key = `recovery#${hashSecret(user.userId)}`;
  const counted = await ports.windows.count(key, [{ seconds: DAY_SECONDS, max: RECOVERIES_PER_DAY }], at);
  if (!counted.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: counted.retryAfterSeconds });
}

/**
 * Starts a recovery for factors that the user cannot provide, unless a recovery is already open. `isNew` is true if this call
 * started the recovery. Errors: those of `admitRecovery`.
 */
export async function beginRecovery(
  ports: RecordPorts & PrivilegePorts & PortsWith<'windows.count'>,
  settings: SmsCountries,
  {
    tenant,
    userId,
    kinds,
  }: { readonly tenant: Tenant; readonly userId: string; readonly kinds: readonly FactorType[] },
  at: number,
): Promise<{ readonly recovery: PendingRecovery; readonly isNew: boolean }> {
  const known = await requireUser(ports.userRecords, tenant, userId);
  if (isRecoveryOpen(known.recovery, at)) return { recovery: known.recovery, isNew: false };
  await admitRecovery(ports, settings, known, at);
  const recovery = newRecovery(tenant, known.recovery, { cause: 'lost', kinds, isPrivileged: false }, at);
  // Keep a recovery that an operator has granted in the meantime.
  const begun = (user: User) => (isRecoveryOpen(user.recovery, at) ? user : { ...user, recovery });
  const user = await changeUser(ports, known, createReplaceAttempt(ports, begun));
  return { recovery: user.recovery ?? recovery, isNew: user.recovery === recovery };
}

/** Returns the user with a recovery for a phone number with a reported risk. The phone stays required during the delay. */
export const withPhoneRecovery = (tenant: Tenant, user: User, isPrivileged: boolean, at: number): User => ({
  ...user,
  recovery: newRecovery(
    tenant,
    isRecoveryInEffect(user.recovery, at) ? undefined : user.recovery,
    { cause: 'risk', kinds: ['phone'], isPrivileged },
    at,
  ),
});

/** Lets the user log in with one factor immediately. The caller must have verified the user's identity in another way. */
export function grantRecovery(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  check: (user: User) => void | Promise<void> = () => {},
): Promise<User> {
  return changeUser(ports, who, async (user) => {
    await check(user);
    const recovery: PendingRecovery = {
      cause: 'granted',
      kinds: recoveryFields.kinds.of,
      since: at,
      effectiveAt: at,
      endsAt: at + RECOVERY_SECONDS,
    };
    return createReplaceAttempt(ports, (current) => ({ ...current, recovery, updatedAt: at }))(user);
  });
}

/**
 * Cancels the open recovery; with `since`, only the recovery that started at this time. Exactly one of several concurrent
 * callers succeeds. A phone number at risk is still required, because the person who cancels may be the attacker. Errors:
 * `notice_link_over`.
 */
export function cancelRecovery(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  since?: number,
): Promise<User> {
  const ended = ({ recovery, ...user }: User): User => {
    const isMeant = since === undefined || recovery?.since === since;
    if (!isRecoveryOpen(recovery, at) || !isMeant) throw new ServiceError('notice_link_over');
    return user.phoneNumber?.risk
      ? { ...user, recovery: { ...recovery, kinds: ['phone'], effectiveAt: NEVER, endsAt: at } }
      : user;
  };
  return changeUser(ports, who, createReplaceAttempt(ports, ended));
}
