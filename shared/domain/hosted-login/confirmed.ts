import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { type BindingLogin, bindsInTenant, kindsProven, placesOf } from '../credentials/fresh-login.ts';
import { type Kind, kindOf } from '../credentials/mfa.ts';
import { identityName, isAsleep, isProven } from '../identifiers/sleep.ts';

/**
 * An address or account at a provider that is one of two factors at a single application is one in the tenant once its owner
 * gives it on our pages, in a login that could bind it anew: by the other kinds that the account has.
 */
interface Part {
  readonly kind: Kind;
  /** As in `asleep`. */
  readonly name: string;
  readonly secondAt: string | undefined;
  /** The user without it. */
  readonly others: User;
}

function partsOf({ user, application }: BindingLogin): readonly Part[] {
  const { email, phoneNumber, ...rest } = user;
  const parts: Part[] = [];
  if (email && isProven(user, email, application)) {
    const others = { ...rest, ...(phoneNumber && { phoneNumber }) };
    parts.push({ kind: 'mail', name: 'email', secondAt: email.secondAt, others });
  }
  if (phoneNumber && isProven(user, phoneNumber, application)) {
    const others = { ...rest, ...(email && { email }) };
    parts.push({ kind: 'phone', name: 'phoneNumber', secondAt: phoneNumber.secondAt, others });
  }
  const accounts = user.identities.filter((identity) => !isAsleep(user, identity));
  const limited = accounts.filter(({ secondAt }) => secondAt !== undefined);
  const [account = accounts[0]] = limited;
  // A proof does not tell which of several it was.
  if (account && limited.length < 2) {
    const others = { ...user, identities: user.identities.filter((identity) => identity !== account) };
    parts.push({ kind: 'social', name: identityName(account), secondAt: account.secondAt, others });
  }
  return parts;
}

function isConfirmed(login: BindingLogin, { kind, secondAt, others: user }: Part): boolean {
  if (secondAt === undefined) return true;
  const proofs = login.proofs.filter(({ method }) => kindOf(method) !== kind);
  const others = { ...login, user, proofs };
  const isOnlyOne = placesOf(others).every((place) => kindsProven(others, place).size === 0);
  return isOnlyOne || bindsInTenant(others);
}

/** The proofs of a login as they count after what it confirms; `confirms` names that. `given` are those of this very login. */
export function confirmedUses(
  login: BindingLogin,
  given: readonly MethodUse[],
): { readonly uses: readonly MethodUse[]; readonly confirms: readonly string[] } {
  const limited = given.filter(({ secondAt }) => secondAt !== undefined).map(({ method }) => kindOf(method));
  const confirmed = partsOf(login).filter((part) => limited.includes(part.kind) && isConfirmed(login, part));
  const kinds = confirmed.map(({ kind }) => kind);
  const uses = login.proofs.map((use) => {
    if (use.secondAt === undefined || !kinds.includes(kindOf(use.method))) return use;
    const { secondAt: _, alone: __, ...counting } = use;
    return counting;
  });
  return {
    uses,
    confirms: confirmed.flatMap(({ name, secondAt }) => (secondAt === undefined ? [] : [name])),
  };
}
