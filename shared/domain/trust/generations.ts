/**
 * @file Credential generations decide which credentials of a user are valid. An attacker could create an account, add the
 * address of a victim and wait until the victim uses it (account pre-hijacking: Sudhodanan and Paverd, USENIX Security 2022). A
 * legitimate change to an address uses the same API call. Therefore an address that is set without a login gets a generation
 * that has not started. The first verification of the address starts that generation and supersedes all other credentials.
 */
import type { Address, User } from '../../ports/people.ts';
import type { GenerationBound, Generations, Trust } from '../../ports/trust.ts';
import type { AddressAttribute } from '../../records/channels.ts';
import { listAddresses } from '../identifiers/stored-address.ts';

type GenerationOwner = { readonly generations: Generations };
type HasGeneration = Pick<Trust, 'generation'>;
type DelayedAddress = Pick<Address, 'standing' | 'delayedUntil'>;

/** `scope` of credentials that are valid in every application of the tenant. */
export const TENANT_WIDE = '*';

/**
 * Generation of credentials that are added before any credential of the account is proven. The generation ends with the first
 * verification of an address.
 */
export const UNPROVEN_GENERATION = 0;
/** Credential generation of the addresses with which a user is created. */
export const FIRST_GENERATION = 1;

/** Credential generations of a new user who has no proven credential yet. */
export const UNPROVEN_GENERATIONS: Generations = { valid: [UNPROVEN_GENERATION], highest: FIRST_GENERATION };
/** Credential generations of a new user who has a proven credential. */
export const PROVEN_GENERATIONS: Generations = { valid: [FIRST_GENERATION], highest: FIRST_GENERATION };

/** Returns true if a credential's generation is valid: it has started, and no later proof has superseded it. */
export const hasValidGeneration = (
  { generations }: GenerationOwner,
  { generation }: HasGeneration,
): boolean => generations.valid.includes(generation);

/** Returns true if no credential of the user was ever proven. */
export const hasNothingProven = ({ generations }: GenerationOwner): boolean =>
  generations.valid.every((number) => number === UNPROVEN_GENERATION);

/**
 * Returns true if an address can log in only together with another factor at `at` (epoch seconds). This is the case if a
 * non-admin operator has set the address, and the delay in which the account's owner can object has not passed yet. Returns
 * false for an account without a proven credential, because such an account has no owner to protect.
 */
export const isLoginDelayed = (user: GenerationOwner, address: DelayedAddress, at: number): boolean =>
  at < (loginDelayedUntil(user, address) ?? at);

/**
 * Returns the time (epoch seconds) until which an address cannot log in without another factor, or undefined if the address is
 * not delayed.
 */
export const loginDelayedUntil = (
  user: GenerationOwner,
  { standing, delayedUntil }: DelayedAddress,
): number | undefined => (standing === 'claimed' && !hasNothingProven(user) ? delayedUntil : undefined);

/** Returns the credential generation that credentials of the user get if they are added now. */
export const currentGeneration = ({ generations }: GenerationOwner): number => Math.max(...generations.valid);

/**
 * Returns true if a backend has set an address without a login of the user, and the address is not proven yet. The first proof
 * of the address then starts a new credential generation.
 */
export const startsNewGeneration = (user: GenerationOwner, { generation }: HasGeneration): boolean =>
  generation > currentGeneration(user);

/**
 * Returns true if the first verification of an address supersedes every other credential of the user. This is the case if a
 * backend has set the address after the user was created, without a session of the user and without a verification.
 */
export function supersedesAccount(
  user: GenerationOwner & Pick<User, AddressAttribute>,
  address: Address,
): boolean {
  const isOnly = hasNothingProven(user) && listAddresses(user).every((own) => own.address === address);
  const takes = startsNewGeneration(user, address) && address.generation !== FIRST_GENERATION;
  return takes && !isOnly && loginDelayedUntil(user, address) === undefined;
}

/** Returns true if a credential is superseded: another address was proven later and has taken over the account. */
export const isSuperseded = (user: GenerationOwner, numbered: HasGeneration): boolean =>
  !hasValidGeneration(user, numbered) && !startsNewGeneration(user, numbered);

/** Returns true if a session, code or login has ended because its credential generation is no longer valid. */
export const hasEnded = (user: GenerationOwner, { generation }: GenerationBound): boolean =>
  !hasValidGeneration(user, { generation });

/** Reserves a credential generation that has not started, for an address set without a login. Returns it as `generation`. */
export function reserveGeneration({ valid, highest }: Generations): Generations & HasGeneration {
  return { valid, highest: highest + 1, generation: highest + 1 };
}

/**
 * Adds a valid credential generation and returns its number as `generation`. The number distinguishes credentials added after a
 * change from older credentials. If nothing is proven yet, no generation is added.
 */
export function addGeneration({ valid, highest }: Generations): Generations & HasGeneration {
  if (hasNothingProven({ generations: { valid, highest } }))
    return { valid, highest, generation: UNPROVEN_GENERATION };
  return { valid: [...valid, highest + 1], highest: highest + 1, generation: highest + 1 };
}

/**
 * Makes the credential generation of the user's initial addresses valid. Called when an admin or a backend declares an address
 * as proven.
 */
export function acceptInitialAddresses({ valid, highest }: Generations): Generations {
  return valid.includes(UNPROVEN_GENERATION) && !valid.includes(FIRST_GENERATION)
    ? { valid: [...valid, FIRST_GENERATION], highest: highest + 1 }
    : { valid, highest };
}

/**
 * Returns the user's credential generations after an address that was set without a login is verified for the first time. From
 * then on, only the generation of this address is valid. Addresses with which the user was created share one generation,
 * because the backend vouches for all of them. Any other address gets a new, highest generation, even if a second address was
 * set in the same request.
 */
export function supersedeEarlierGenerations(
  { highest }: Generations,
  { generation }: HasGeneration,
): Generations & HasGeneration {
  const next = generation === FIRST_GENERATION ? FIRST_GENERATION : highest + 1;
  return { valid: [next], highest: highest + 1, generation: next };
}

/**
 * Returns the credential generations after an undo. `before` lists the generations that were valid before the undone change.
 */
export function restoreGenerations({ highest }: Generations, before: readonly number[]): Generations {
  return { valid: before, highest: highest + 1 };
}
