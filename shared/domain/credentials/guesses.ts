// Limit of consecutive wrong codes for a user, under all identifiers and in all applications: after 100, codes are disabled
// (NIST SP 800-63B-4 §3.2.2). Attackers can cause this on purpose. Therefore each browser from which the user has logged in has
// its own counter, and so have callers who have used a first factor. Links and passkeys still work, and a login with them
// enables codes.
import type { Tenant } from '../../ports/directory.ts';
import type { CodeUser, GuessCounter, StoredCode } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { PASSCODE_MAX_FAILURES } from '../basis/limits.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';

const STRANGERS = 'strangers';
const SIGNED_IN = 'signed-in';

/**
 * Hashes a value for use as a counter key. The type `guesses of` contains a space, which no identifier type does, so the hash
 * never equals the hash of an identifier.
 */
const counterKey = (tenant: Tenant, value: string) => identifierHash(tenant, { type: 'guesses of', value });

/** Returns the key of the counters for a user's wrong codes. */
export const toUserCounterKey = (tenant: Tenant, userId: string): string => counterKey(tenant, userId);

/**
 * Returns the key of the counters for an address without a user. Without these counters, a reader of the table could see which
 * addresses belong to users.
 */
export const toAddressCounterKey = (tenant: Tenant, addressHash: string): string =>
  counterKey(tenant, addressHash);

/** Returns the counter for wrong codes: the hash of the user or address, and the type of caller whose attempts it counts. */
export function guessCounter(
  tenant: Tenant,
  { kind, userId }: CodeUser,
  addressHash: string,
  known: { readonly browserHash?: string | undefined; readonly signedIn?: boolean } = {},
): GuessCounter {
  return {
    userHash: kind === 'known' ? toUserCounterKey(tenant, userId) : toAddressCounterKey(tenant, addressHash),
    callerType: known.browserHash ?? (known.signedIn ? SIGNED_IN : STRANGERS),
  };
}

type GuessedAt = Pick<StoredCode, 'userId' | 'userHash' | 'callerType'>;

/**
 * Counts a wrong code and notes it in the user's record for `admitCorrectCode`. Returns false if the user's codes are disabled.
 */
export async function countWrongGuess(
  ports: PortsWith<'guesses.count' | 'users.noteWrongGuess'>,
  { userId, userHash, callerType }: GuessedAt,
  at: number,
): Promise<boolean> {
  const [failures] = await awaitAll(
    ports.guesses.count({ userHash, callerType }, PASSCODE_MAX_FAILURES, at),
    // This call is made even if the user does not exist, so that the number of store calls does not reveal whether the user
    // exists.
    ports.users.noteWrongGuess(userId, callerType),
  );
  return failures !== undefined;
}

/**
 * Returns true if wrong attempts at a code count against the user whom it logs in. Returns false if the code was sent to a
 * phone number that does not belong to the user yet: such attempts count against the number.
 */
export const countsForUser = (tenant: Tenant, { userId, userHash }: GuessedAt): boolean =>
  userHash === toUserCounterKey(tenant, userId);

/**
 * Clears the counter of wrong codes after a correct code. Returns false if the user's codes are disabled.
 *
 * @param user User record, read after the attempt was counted. If the record lists no wrong codes of this caller type, the
 *   store is not called.
 */
export function admitCorrectCode(
  ports: PortsWith<'guesses.clearBelow'>,
  { userHash, callerType }: GuessedAt,
  user?: User,
): Promise<boolean> {
  if (user && !user.wrongGuesses?.includes(callerType)) return Promise.resolve(true);
  return ports.guesses.clearBelow({ userHash, callerType }, PASSCODE_MAX_FAILURES);
}

/** Clears all counters of wrong codes after a login with any method, which enables disabled codes again. */
export async function clearGuesses(
  ports: PortsWith<'guesses.clear'>,
  tenant: Tenant,
  { userId, wrongGuesses = [] }: User,
): Promise<void> {
  const userHash = toUserCounterKey(tenant, userId);
  await Promise.all(wrongGuesses.map((callerType) => ports.guesses.clear({ userHash, callerType })));
}

/** Returns true if 100 wrong codes have disabled codes for at least one type of caller. */
export const arePasscodesDisabled = (
  ports: PortsWith<'guesses.areFull'>,
  tenant: Tenant,
  { userId }: User,
): Promise<boolean> => ports.guesses.areFull(toUserCounterKey(tenant, userId), PASSCODE_MAX_FAILURES);
