import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { AuthenticationMethod } from '../../ports/flows.ts';
import type { User, Wait } from '../../ports/people.ts';
import type { Kind } from '../../ports/trust.ts';
import type { Using } from '../../ports/uses.ts';
import { addressTypes } from '../../records/channels.ts';
import { waitFields } from '../../records/user.ts';
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
import { addressesOf } from '../identifiers/stored-address.ts';
import { isTold } from '../trust/changes.ts';
import { isSettled, kindOf } from '../trust/kinds.ts';
import { hasPower, type PowerPorts } from '../trust/power.ts';
import { changeUser, type RecordPorts, replaceWith } from './change-user.ts';

/**
 * Losing a factor makes no factor (NIST SP 800-63B-4 §4.2). The reader of one mailbox can say that the phone is lost, and a report
 * can put a number at risk: so every proven address is told, what is out of the way is asked for during a delay, and each address
 * can stop it.
 */

/** No time makes up for a kind that a user with power has lost: an operator does. The last date that RFC 3339 can write. */
export const NEVER = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** Whether a wait runs, or is over but can still be ended. */
export const isOpen = (wait: Wait | undefined, at: number): wait is Wait =>
  wait !== undefined && at < wait.endsAt;

/** Whether a person is told of it: something is said to be lost or at risk, and will no longer be asked for. */
export const isAnnounced = (wait: Wait | undefined, at: number): wait is Wait =>
  isOpen(wait, at) && wait.cause !== 'granted' && wait.effectiveAt < NEVER;

/** How long what is lost is still asked for. */
export const delayOf = ({ recoveryDelayHours = RECOVERY_DELAY_HOURS }: Tenant): number =>
  recoveryDelayHours * SECONDS_PER_HOUR;

/** Whether a login ends it: the kind that is said to be lost is there. */
export const disproves = (wait: Wait, method: AuthenticationMethod, at: number): boolean => {
  const kind = kindOf(method);
  return wait.cause === 'lost' && isOpen(wait, at) && kind !== undefined && wait.kinds.includes(kind);
};

function newWait(
  tenant: Tenant,
  before: Wait | undefined,
  { cause, kinds, isPowerful }: Pick<Wait, 'cause' | 'kinds'> & { readonly isPowerful: boolean },
  at: number,
): Wait {
  const effectiveAt = isPowerful ? NEVER : at + delayOf(tenant);
  const endsAt = isPowerful ? NEVER : effectiveAt + RECOVERY_SECONDS;
  return { cause, kinds: [...new Set([...(before?.kinds ?? []), ...kinds])], since: at, effectiveAt, endsAt };
}

/** Without an address to tell, a stranger's request would go unseen. */
export const canBeTold = (user: User, settings: SmsCountries): boolean =>
  addressesOf(user).some(
    ({ type, address }) =>
      isTold(user, address) && maySend(settings, addressTypes[type].noticeChannel, address.value),
  );

/**
 * Counts that somebody asks for a wait. Errors: `recovery_impossible` when no address can be told or the user has power,
 * `rate_limited`.
 */
export async function admitWait(
  ports: PowerPorts & Using<'windows.count'>,
  settings: SmsCountries,
  user: User,
  at: number,
): Promise<void> {
  if (!canBeTold(user, settings) || (await hasPower(ports, user)))
    throw new ServiceError('recovery_impossible');
  const key = `recovery#${hashSecret(user.userId)}`;
  const counted = await ports.windows.count(key, [{ seconds: DAY_SECONDS, max: RECOVERIES_PER_DAY }], at);
  if (!counted.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: counted.retryAfterSeconds });
}

/**
 * Begins to wait for kinds that the user cannot give, unless something waits already. `isNew`: this call began it.
 * Errors: those of `admitWait`.
 */
export async function beginWait(
  ports: RecordPorts & PowerPorts & Using<'windows.count'>,
  settings: SmsCountries,
  {
    tenant,
    userId,
    kinds,
  }: { readonly tenant: Tenant; readonly userId: string; readonly kinds: readonly Kind[] },
  at: number,
): Promise<{ readonly wait: Wait; readonly isNew: boolean }> {
  const known = await requireUser(ports.userRecords, tenant, userId);
  if (isOpen(known.wait, at)) return { wait: known.wait, isNew: false };
  await admitWait(ports, settings, known, at);
  const wait = newWait(tenant, known.wait, { cause: 'lost', kinds, isPowerful: false }, at);
  // One that was granted meanwhile stays.
  const begun = (user: User) => (isOpen(user.wait, at) ? user : { ...user, wait });
  const user = await changeUser(ports, known, replaceWith(ports, begun));
  return { wait: user.wait ?? wait, isNew: user.wait === wait };
}

/** The user whose number is at risk from now on: the phone is asked for as before, until the delay is over. */
export const waitingForPhone = (tenant: Tenant, user: User, isPowerful: boolean, at: number): User => ({
  ...user,
  wait: newWait(
    tenant,
    isSettled(user.wait, at) ? undefined : user.wait,
    { cause: 'risk', kinds: ['phone'], isPowerful },
    at,
  ),
});

/** Lets one kind be enough at once, for a caller who has made sure of the user in another way. */
export function grantRecovery(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  check: (user: User) => void | Promise<void> = () => {},
): Promise<User> {
  return changeUser(ports, who, async (user) => {
    await check(user);
    const wait: Wait = {
      cause: 'granted',
      kinds: waitFields.kinds.of,
      since: at,
      effectiveAt: at,
      endsAt: at + RECOVERY_SECONDS,
    };
    return replaceWith(ports, (current) => ({ ...current, wait, updatedAt: at }))(user);
  });
}

/**
 * Ends an open wait, of `since` if given. Of many callers one ends it. What is at risk stays asked for: who can stop the wait may be
 * the one who gains by it. Errors: `notice_link_over`.
 */
export function endWait(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  since?: number,
): Promise<User> {
  const ended = ({ wait, ...user }: User): User => {
    const isMeant = since === undefined || wait?.since === since;
    if (!isOpen(wait, at) || !isMeant) throw new ServiceError('notice_link_over');
    return user.phoneNumber?.risk
      ? { ...user, wait: { ...wait, kinds: ['phone'], effectiveAt: NEVER, endsAt: at } }
      : user;
  };
  return changeUser(ports, who, replaceWith(ports, ended));
}
