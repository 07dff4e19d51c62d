import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { MethodUse, Session, Waking } from '../../ports/flows.ts';
import type { Address, ProvenAddress, UpstreamIdentity, User } from '../../ports/people.ts';
import { hashSecret } from '../basis/random.ts';
import { identityIdentifier } from './identifier.ts';
import { isProvenAt } from './proven-address.ts';
import { wasProvenBefore } from './proven-before.ts';

/**
 * Pre-hijacking (Sudhodanan and Paverd, USENIX Security 2022): an attacker makes an account, adds a victim's address and waits
 * for the victim. The honest change of an address looks the same, so nothing is deleted: the first proof of an address that
 * another has set puts all earlier proofs to sleep. Each wakes when it is proven together with one that is awake.
 *
 * `wokenAt` is a copy of the user's `asleepBefore`, handed on from each login to what it makes, and never a clock: what an
 * attacker's request writes after the sleep still sleeps.
 */

/** Whether a credential sleeps: also an address that was there unproven when another was proven first. */
export function isAsleep({ asleepBefore = 0 }: Pick<User, 'asleepBefore'>, { wokenAt = 0 }: Waking): boolean {
  return wokenAt < asleepBefore;
}

type Place = Pick<Application, 'applicationId'>;

/** Whether an address is proven, and may be shown and counted as such at an application; without one, in the tenant. */
export function isProven(
  user: Pick<User, 'asleepBefore'>,
  address: Address | undefined,
  place: Place | undefined,
): boolean {
  return address !== undefined && isProvenAt(address, place) && !isAsleep(user, address);
}

/**
 * The address of the user that a code of a backend proves, if it sleeps. A backend answers for each address that it has given a
 * new user, unless another has logged in before the proof.
 */
export function sleepingAddress(
  user: User | undefined,
  attribute: ProvenAddress['attribute'] | undefined,
): Address | undefined {
  const address = attribute && user?.[attribute];
  if (!user || !address) return undefined;
  return (address.verified ? isAsleep(user, address) : isOver(user, address)) ? address : undefined;
}

/** Whether a session, code or login has ended with a sleep. Before the first login of a user there was none to end. */
export function isOver({ disputedAt = 0 }: Pick<User, 'disputedAt'>, { wokenAt = 0 }: Waking): boolean {
  return wokenAt < disputedAt;
}

/** The mark of what is made now by one who is awake. */
export function awakeAs(wokenAt: number | undefined): Waking {
  return wokenAt === undefined ? {} : { wokenAt };
}

/** Later than every sleep before. */
export function nextSleep({ asleepBefore = 0 }: Pick<User, 'asleepBefore'>, at: number): number {
  return Math.max(at, asleepBefore + 1);
}

/** The user whose earlier proofs sleep. */
export function fallenAsleep(user: User, sleepsAt: number): User {
  return {
    ...user,
    asleepBefore: sleepsAt,
    ...(user.lastAuthAt === undefined ? {} : { disputedAt: sleepsAt }),
  };
}

/**
 * The `asleepBefore` to set `at` (epoch seconds), when an address is proven outside of the user's own sessions that was
 * unverified until then, at this application. Undefined: nothing sleeps.
 */
export function sleepAfter(
  user: User,
  proven: ProvenAddress | undefined,
  place: Place | undefined,
  at: number,
): number | undefined {
  if (!proven || isProvenAt(user[proven.attribute], place)) return undefined;
  if (wasProvenBefore(user, proven.attribute)) return undefined;
  return nextSleep(user, at);
}

/** Whether a proof wakes others: it is awake, and no client can have made it. */
const isWaking = ({ asleep, goodAt, byOwner }: MethodUse): boolean =>
  asleep === undefined && (goodAt === undefined || byOwner === true);

/** Whether nothing but what sleeps was proven. */
export function isAllAsleep(uses: readonly MethodUse[]): boolean {
  return uses.length > 0 && uses.every(({ asleep }) => asleep !== undefined);
}

export function hasWaking(uses: readonly MethodUse[]): boolean {
  return uses.some(isWaking);
}

/** The proofs of one login, after those that are awake have woken the others. */
export function wokenUses(uses: readonly MethodUse[]): readonly MethodUse[] {
  return hasWaking(uses) ? uses.map(({ asleep: _, ...use }) => use) : uses;
}

/** Whether a credential may be given beside these proofs: one that sleeps only beside one that wakes it. */
export function mayJoin(user: User, credential: Waking, uses: readonly MethodUse[]): boolean {
  return hasWaking(uses) || !isAsleep(user, credential);
}

/** The credentials that these proofs wake. */
export function wokenBy(uses: readonly MethodUse[]): readonly string[] {
  return hasWaking(uses) ? uses.flatMap(({ asleep }) => asleep ?? []) : [];
}

/** Names an account at a provider in `asleep`. */
export function identityName(identity: UpstreamIdentity): string {
  const { type, value } = identityIdentifier(identity);
  return hashSecret(`${type} ${value}`);
}

/** The proof of a credential with the mark that it sleeps, if it does. */
export function markAsleep(
  user: User,
  credential: Waking | undefined,
  name: string,
  use: MethodUse,
): MethodUse {
  return credential && isAsleep(user, credential) ? { ...use, asleep: name } : use;
}

/**
 * Whether a credential is to be woken, in a backend's login that joins a session. Errors: `credential_asleep` when it sleeps
 * and the session proves nothing that wakes it.
 */
export function requireAwake(
  user: User,
  credential: Waking | undefined,
  joined: Session | undefined,
): boolean {
  if (!credential || !isAsleep(user, credential)) return false;
  if (!joined || !hasWaking(joined.methods))
    throw new ServiceError('credential_asleep', { audit: { userId: user.userId } });
  return true;
}
