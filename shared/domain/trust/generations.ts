import type { Address, User } from '../../ports/people.ts';
import type { Begun, Generations, Trust } from '../../ports/trust.ts';

/**
 * Which credentials count. An attacker can make an account, add the address of a victim and wait (pre-hijacking: Sudhodanan and
 * Paverd, USENIX Security 2022). The honest change of an address is the same call. So an address that was set without a login
 * belongs to a generation that has not begun: its first proof begins it, and then nothing else counts.
 */

type Owner = { readonly generations: Generations };
type Numbered = Pick<Trust, 'generation'>;
type Timed = Pick<Address, 'standing' | 'opensAt'>;

/** `scope` of what is good in the whole tenant. */
export const TENANT = '*';

/**
 * Of what is bound before anything was proven: the first proof of an address ends it. Where something is proven it counts no more:
 * an address of this generation opens nothing by itself.
 */
export const UNPROVEN = 0;
/** Of the addresses that a user is made with. */
export const FIRST = 1;

/** Of a user whose addresses are claimed. */
export const unproven: Generations = { counting: [UNPROVEN], last: FIRST };
/** Of a user who is made with something proven. */
export const begun: Generations = { counting: [FIRST], last: FIRST };

export const isCurrent = ({ generations }: Owner, { generation }: Numbered): boolean =>
  generations.counting.includes(generation);

/** Returns true while nothing of the user was ever proven. */
export const isUnproven = ({ generations }: Owner): boolean =>
  generations.counting.every((number) => number === UNPROVEN);

/**
 * Returns true if an address logs in only beside another factor of the account: an operator below admin has set it, and the time
 * in which its owner can stop it is not over at `at` (epoch seconds). An account of which nothing is proven has no owner to protect.
 */
export const isWithheld = (user: Owner, address: Timed, at: number): boolean =>
  at < (opensAtOf(user, address) ?? at);

/** When an address that was withheld logs in by itself, in epoch seconds; undefined where no such time holds. */
export const opensAtOf = (user: Owner, { standing, opensAt }: Timed): number | undefined =>
  standing === 'claimed' && !isUnproven(user) ? opensAt : undefined;

/** The generation of what is bound now. */
export const todays = ({ generations }: Owner): number => Math.max(...generations.counting);

/** Whether the first proof of an address begins a generation, because a backend has set it without a login. */
export const isNext = (user: Owner, { generation }: Numbered): boolean => generation > todays(user);

/**
 * Returns true if the first proof of an address supersedes everything that the user had before: it was set after the user was made,
 * by a backend that passed neither a session of the user nor a verification.
 */
export function supersedesAccount(
  user: Owner & Pick<User, 'email' | 'phoneNumber'>,
  address: Address,
): boolean {
  const isOnly =
    isUnproven(user) && [user.email, user.phoneNumber].every((each) => !each || each === address);
  const takes = isNext(user, address) && address.generation !== FIRST;
  return takes && !isOnly && opensAtOf(user, address) === undefined;
}

/** Whether an address opens nothing by itself: another was proven since. */
export const isShutOut = (user: Owner, numbered: Numbered): boolean =>
  !isCurrent(user, numbered) && !isNext(user, numbered);

/** Whether a session, code or login has ended with its generation. */
export const isOver = (user: Owner, { generation }: Begun): boolean => !isCurrent(user, { generation });

/** A generation that has not begun, for an address that is set without a login. */
export function claimed({ counting, last }: Generations): Generations & Numbered {
  return { counting, last: last + 1, generation: last + 1 };
}

/**
 * One more that counts: what is bound after a change can be told from what was there before it. Before anything is proven there is
 * nothing to tell it from.
 */
export function added({ counting, last }: Generations): Generations & Numbered {
  if (isUnproven({ generations: { counting, last } })) return { counting, last, generation: UNPROVEN };
  return { counting: [...counting, last + 1], last: last + 1, generation: last + 1 };
}

/** After an operator has said that an address is proven: what the user was made with counts. */
export function stated({ counting, last }: Generations): Generations {
  return counting.includes(UNPROVEN) && !counting.includes(FIRST)
    ? { counting: [...counting, FIRST], last: last + 1 }
    : { counting, last };
}

/**
 * The first proof of an address that was set without a login: from now on it alone counts. The addresses that a user is made
 * with stand together, because the backend that gave them answers for both. Any other gets a number of its own, so that an
 * address that was set with it does not begin a generation later.
 */
export function handedOver({ last }: Generations, { generation }: Numbered): Generations & Numbered {
  const next = generation === FIRST ? FIRST : last + 1;
  return { counting: [next], last: last + 1, generation: next };
}

/** After an undo: what counted before the change. */
export function undone({ last }: Generations, before: readonly number[]): Generations {
  return { counting: before, last: last + 1 };
}
