import type { Tenant } from '../../ports/directory.ts';
import type { Addressee, GuessCounter, StoredCode } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { PASSCODE_MAX_FAILURES } from '../basis/limits.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';

/*
 * Wrong codes in a row, of a person under all their names and in all applications: at 100 codes are off (NIST SP 800-63B-4
 * §3.2.2). Strangers can bring that about. So browsers that the user has logged in from count apart, and who has given a first
 * factor too; links and passkeys stay open, and a login by them switches codes on again.
 */

const STRANGERS = 'strangers';
const SIGNED_IN = 'signed-in';

/** No type of identifiers has a space. */
const hashOf = (tenant: Tenant, value: string) => identifierHash(tenant, { type: 'guesses of', value });

/** The person of a user. */
export const personOf = (tenant: Tenant, userId: string): string => hashOf(tenant, userId);

/** The person of an address without a user: the table must not tell whether it has one. */
export const personAt = (tenant: Tenant, addressHash: string): string => hashOf(tenant, addressHash);

/** Where the tries of a code count. */
export function guessCounter(
  tenant: Tenant,
  { kind, userId }: Addressee,
  addressHash: string,
  known: { readonly browserHash?: string | undefined; readonly signedIn?: boolean } = {},
): GuessCounter {
  return {
    person: kind === 'known' ? personOf(tenant, userId) : personAt(tenant, addressHash),
    asker: known.browserHash ?? (known.signedIn ? SIGNED_IN : STRANGERS),
  };
}

type GuessedAt = Pick<StoredCode, 'userId' | 'person' | 'asker'>;

/** Counts a wrong try, and notes it in the user's record: right digits look there. False when codes are off. */
export async function countWrongGuess(
  ports: Using<'guesses.count' | 'users.noteWrongGuess'>,
  { userId, person, asker }: GuessedAt,
  at: number,
): Promise<boolean> {
  const [failures] = await awaitAll(
    ports.guesses.count({ person, asker }, PASSCODE_MAX_FAILURES, at),
    // Without a user too, or the calls would tell that there is none.
    ports.users.noteWrongGuess(userId, asker),
  );
  return failures !== undefined;
}

/** Not those of a number that is still to be the user's: all who give it count together. */
export const areOfUser = (tenant: Tenant, { userId, person }: GuessedAt): boolean =>
  person === personOf(tenant, userId);

/**
 * After right digits: the wrong ones before them are forgotten. `user`: who they are of, read since the try was counted: each
 * wrong one that was answered before is noted there. False when codes are off.
 */
export function admitRightGuess(
  ports: Using<'guesses.clearBelow'>,
  { person, asker }: GuessedAt,
  user?: User,
): Promise<boolean> {
  if (user && !user.wrongGuesses?.includes(asker)) return Promise.resolve(true);
  return ports.guesses.clearBelow({ person, asker }, PASSCODE_MAX_FAILURES);
}

/** After a login, by whatever method: codes that 100 failures switched off work again. */
export async function forgetGuesses(
  ports: Using<'guesses.clear'>,
  tenant: Tenant,
  { userId, wrongGuesses = [] }: User,
): Promise<void> {
  const person = personOf(tenant, userId);
  await Promise.all(wrongGuesses.map((asker) => ports.guesses.clear({ person, asker })));
}

/** Whether 100 failures have switched codes off for anyone. */
export const arePasscodesOff = (
  ports: Using<'guesses.areFull'>,
  tenant: Tenant,
  { userId }: User,
): Promise<boolean> => ports.guesses.areFull(personOf(tenant, userId), PASSCODE_MAX_FAILURES);
