import type { MethodUse, ProvenMethod, Session } from '../../ports/flows.ts';
import { factorsOf } from '../trust/kinds.ts';

const RANK = { proven: 4, enrolled: 3, verified: 2, vouched: 1, quarantined: 0 } as const;
const isLess = (one: MethodUse, other: MethodUse) => RANK[one.worth] < RANK[other.worth];

/** The last use of each method, oldest first; one that is worth more goes before one that is worth less. */
export function lastUses(...uses: readonly MethodUse[]): readonly MethodUse[] {
  const noted = usesToNote(uses, uses);
  return noted.filter(
    ({ method }, index) => !noted.slice(index + 1).some((later) => later.method === method),
  );
}

/** What a session notes of new uses: one that is worth less takes nothing from its method. */
export function usesToNote(before: readonly MethodUse[], uses: readonly MethodUse[]): readonly MethodUse[] {
  return uses.filter((use) => !before.some((known) => known.method === use.method && isLess(use, known)));
}

/** `amr` and `acr` of a session (OIDC Core §2); `acr` only with two kinds. What needs company proves nothing. */
export function authenticationContext(uses: readonly ProvenMethod[]): {
  readonly amr: readonly string[];
  readonly acr?: 'mfa';
} {
  const good = uses.filter(({ worth }) => worth !== 'quarantined');
  const methods = [...new Set(good.map(({ method }) => method))];
  return factorsOf(uses).size > 1 ? { amr: [...methods, 'mfa'], acr: 'mfa' } : { amr: methods };
}

/** Whether only the first of two factors was given: such a session opens nothing. */
export function isHalfLogin({ awaitsSecondFactor, methods }: Session): boolean {
  return awaitsSecondFactor === true && authenticationContext(methods).acr !== 'mfa';
}
