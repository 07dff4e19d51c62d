import type { Tenant } from '../../ports/directory.ts';
import type { Addressee, GuessCounter, StoredCode } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
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

/**
 * Counts a try; false when codes are off. A wrong one that reaches the limit switches them off: the user's record notes it, and
 * a login by another method clears it.
 */
export async function countGuess(
  ports: Using<'guesses.count' | 'users.switchPasscodesOff'>,
  { person, asker, userId }: StoredCode,
  digits: 'right' | 'wrong',
  at: number,
): Promise<boolean> {
  const failures = await ports.guesses.count({ person, asker }, PASSCODE_MAX_FAILURES, at);
  const isLast = digits === 'wrong' && failures === PASSCODE_MAX_FAILURES;
  // Noted again on each refused try, for the one that reached the limit may have crashed before it could.
  if (failures === undefined || isLast) await ports.users.switchPasscodesOff(userId, asker);
  return failures !== undefined;
}

/** After right digits. Never rejects, because the login is done. */
export async function forgetGuesses(
  ports: Using<'guesses.clear'>,
  { person, asker }: GuessCounter,
): Promise<void> {
  await ports.guesses.clear({ person, asker }).catch(() => {});
}

/** After a login by another method: codes that 100 failures switched off work again. */
export async function switchCodesOn(
  ports: Using<'guesses.clear'>,
  tenant: Tenant,
  { userId, passcodesOff = [] }: User,
): Promise<void> {
  const person = personOf(tenant, userId);
  await Promise.all(passcodesOff.map((asker) => ports.guesses.clear({ person, asker })));
}
