import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Address, PendingRecovery, PhoneRisk, User } from '../../ports/people.ts';
import { SIGNAL_SKEW_SECONDS } from '../basis/limits.ts';
import { withAllFields } from '../basis/omit-undefined.ts';
import { hasValidGeneration } from '../trust/generations.ts';
import { isPrivilegedUser, type PrivilegePorts } from '../trust/privileged-user.ts';
import { changeUser, createReplaceAttempt, type RecordPorts } from './change-user.ts';
import { withPhoneRecovery } from './pending-recovery.ts';

// Risk signals about a user's phone number from other parties: a SIM swap or a ported number (NIST SP 800-63B-4 §3.1.3.3). A
// signal stays until it is cleared or the number changes. It never expires: time by itself does not return a number to its
// owner.

/** Risk signal about a phone number, as reported. `check` may reject the report after the user was read. */
interface PhoneSignal extends Pick<PhoneRisk, 'signal'> {
  readonly reason?: string | undefined;
  readonly observed_at?: string | undefined;
  readonly check?: (user: User) => void | Promise<void>;
}

/** Returns true if a date exists in the calendar. `Date` would silently turn 30 February into another day. */
const isOnCalendar = (date: string) => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);

function readObservedAt(given: string | undefined, at: number): number {
  if (given === undefined) return at;
  const observedAt = Math.floor(Date.parse(given) / 1000);
  if (Number.isNaN(observedAt) || !isOnCalendar(given.slice(0, 10)))
    throw invalidInput('observed_at: is not a date (RFC 3339)');
  if (observedAt > at + SIGNAL_SKEW_SECONDS) throw invalidInput('observed_at: lies in the future');
  return observedAt;
}

/** Returns the user's phone number. Errors: `user_phone_number_missing`. */
export function requirePhoneNumber({ phoneNumber }: User): Address {
  if (!phoneNumber) throw new ServiceError('user_phone_number_missing');
  return phoneNumber;
}

/**
 * Records a risk signal about the user's phone number, which replaces an earlier signal. From then on, SMS codes to this number
 * cannot log the user in. Errors: `user_not_found`, `user_phone_number_missing`, `system_invalid_input`, `concurrent_change`.
 */
export async function reportPhoneRisk(
  ports: RecordPorts & PrivilegePorts,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  { signal, reason, observed_at, check }: PhoneSignal,
  at: number,
): Promise<User> {
  const observedAt = readObservedAt(observed_at, at);
  const risk = withAllFields<PhoneRisk>({ signal, reason, observedAt, reportedAt: at });
  return changeUser(ports, { tenantId: tenant.tenantId, userId }, async (user) => {
    await check?.(user);
    const phoneNumber = { ...requirePhoneNumber(user), risk };
    const isFactor = phoneNumber.standing === 'proven' && hasValidGeneration(user, phoneNumber);
    const isPrivileged = isFactor && (await isPrivilegedUser(ports, user));
    const next =
      isFactor && !user.phoneNumber?.risk ? withPhoneRecovery(tenant, user, isPrivileged, at) : user;
    return createReplaceAttempt(ports, () => ({ ...next, phoneNumber, updatedAt: at }))(user);
  });
}

/**
 * Removes the phone from a recovery that the reported risk of the number has started. Factors that were reported lost remain in
 * the recovery.
 */
function removePhoneFromRecovery(recovery: PendingRecovery): PendingRecovery | undefined {
  if (recovery.cause !== 'risk') return recovery;
  const kinds = recovery.kinds.filter((kind) => kind !== 'phone');
  return kinds.length > 0 ? { ...recovery, cause: 'lost', kinds } : undefined;
}

/**
 * Clears the reported risk of the user's phone number after its owner has regained control of the number. If no risk was
 * reported, writes nothing and returns `wasAtRisk: false`. Errors: `user_not_found`, `concurrent_change`.
 */
export async function clearPhoneRisk(
  ports: RecordPorts,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  check: (user: User) => void | Promise<void> = () => {},
): Promise<{ readonly user: User; readonly wasAtRisk: boolean }> {
  let cleared: PhoneRisk | undefined;
  const user = await changeUser(ports, who, async (current) => {
    await check(current);
    cleared = current.phoneNumber?.risk;
    if (!current.phoneNumber?.risk) return current;
    const { risk: _, ...phoneNumber } = current.phoneNumber;
    const { recovery, ...rest } = current;
    const lost = recovery && removePhoneFromRecovery(recovery);
    return createReplaceAttempt(ports, () => ({
      ...rest,
      ...(lost && { recovery: lost }),
      phoneNumber,
      updatedAt: at,
    }))(current);
  });
  return { user, wasAtRisk: cleared !== undefined };
}
