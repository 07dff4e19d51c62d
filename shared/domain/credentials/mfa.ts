import type { MethodUse, ProvenMethod, Session } from '../../ports/flows.ts';
import { listMfaFactorTypes } from '../trust/factor-types.ts';

const WEAKEST_FIRST = ['quarantined', 'vouched', 'verified', 'enrolled', 'proven'];
const isLess = (one: MethodUse, other: MethodUse) =>
  WEAKEST_FIRST.indexOf(one.worth) < WEAKEST_FIRST.indexOf(other.worth);

/** Returns the most recent use of each login method, oldest first. A weaker use does not replace a stronger use. */
export function lastUses(...uses: readonly MethodUse[]): readonly MethodUse[] {
  const noted = usesToStore(uses, uses);
  return noted.filter(
    ({ method }, index) => !noted.slice(index + 1).some((later) => later.method === method),
  );
}

/**
 * Returns the uses of login methods that must be added to a session. Drops a use if the session has a stronger use of the same
 * method.
 */
export function usesToStore(before: readonly MethodUse[], uses: readonly MethodUse[]): readonly MethodUse[] {
  return uses.filter((use) => !before.some((known) => known.method === use.method && isLess(use, known)));
}

/**
 * Returns the `amr` and `acr` claims of a session (OIDC Core §2). `acr` is set if two factor types were used. `amr` omits
 * proofs that are insufficient for a login.
 */
export function authenticationContext(uses: readonly ProvenMethod[]): {
  readonly amr: readonly string[];
  readonly acr?: 'mfa';
} {
  const good = uses.filter(({ worth }) => worth !== 'quarantined');
  const methods = [...new Set(good.map(({ method }) => method))];
  return listMfaFactorTypes(uses).size > 1 ? { amr: [...methods, 'mfa'], acr: 'mfa' } : { amr: methods };
}

/** Returns true if a session has only the first of two required factors. Such a session does not count as a login. */
export function isIncompleteLogin({ awaitsSecondFactor, methods }: Session): boolean {
  return awaitsSecondFactor === true && authenticationContext(methods).acr !== 'mfa';
}
