import type { MethodUse, ProvenMethod } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import { type BindingLogin, lackForBinding, lackForTenant } from './binding.ts';
import { FIRST, isCurrent, isWithheld, TENANT, todays } from './generations.ts';
import { covers, type Holding, hasPerson, kindOf } from './kinds.ts';
import { freshProofs } from './lack.ts';
import { identityName } from './names.ts';

/**
 * What is shut out, narrower than the tenant, or no kind yet comes to count like anything else once its owner gives it in a login
 * that could bind it anew: beside the kinds that the account has without it. It brings nothing back but itself.
 */

/** What a proof names of the user: the trust of the credential, and the account without it. */
export interface Part {
  readonly trust: Trust & Pick<Address, 'opensAt'>;
  readonly others: Holding;
}

export function partOf({ user, passkeys }: Holding, { method, credential }: MethodUse): Part | undefined {
  const kind = kindOf(method);
  if (kind === 'mail' || kind === 'phone') {
    const attribute = kind === 'mail' ? 'email' : 'phoneNumber';
    const { [attribute]: trust, ...rest } = user;
    return trust && credential === attribute ? { trust, others: { user: rest, passkeys } } : undefined;
  }
  if (kind === 'social') {
    const trust = user.identities.find((identity) => identityName(identity) === credential);
    const identities = user.identities.filter((identity) => identity !== trust);
    return trust && { trust, others: { user: { ...user, identities }, passkeys } };
  }
  const trust = passkeys.find(({ credentialId }) => credentialId === credential);
  return trust && { trust, others: { user, passkeys: passkeys.filter((passkey) => passkey !== trust) } };
}

const isWhole = (user: User, { standing, scope, ...numbered }: Trust): boolean =>
  standing === 'proven' && scope === TENANT && isCurrent(user, numbered);

/** What becomes of a credential that was given beside the other proofs of a login; undefined: nothing. */
export function settledBeside(
  login: BindingLogin,
  use: MethodUse,
  surface: 'api' | 'pages',
  part = partOf(login, use),
): Trust | undefined {
  const { user, application, at } = login;
  if (!part || isWhole(user, part.trust)) return undefined;
  const { trust } = part;
  const withheld = isWithheld(user, trust, at);
  // A proof of the address that an operator has replaced meanwhile is none of the new one.
  if (withheld && (use.worth !== 'quarantined' || use.at < trust.since)) return undefined;
  // Who opens a link need not be who has begun the login.
  const isOpened = ({ method }: ProvenMethod) =>
    surface === 'pages' && method === 'eml' && !isCurrent(user, trust);
  if (isOpened(use) || use.worth === 'enrolled') return undefined;
  const proofs = login.proofs.filter(
    (other) => kindOf(other.method) !== kindOf(use.method) && !isOpened(other),
  );
  const others: BindingLogin = { ...login, ...part.others, proofs };
  const isHere = covers(trust.scope, application.applicationId);
  // What a client has bound, what is shut out and what is good elsewhere counts by company alone.
  const needsPerson = trust.standing === 'vouched' || !isCurrent(user, trust) || !isHere || withheld;
  if (needsPerson && !hasPerson(freshProofs(application, proofs, at))) return undefined;
  const generation = isCurrent(user, trust) ? trust.generation : todays(user);
  if (lackForBinding(others))
    return withheld ? { standing: 'verified', scope: trust.scope, generation, since: at } : undefined;
  const isInTenant = (surface === 'pages' || !isHere) && !lackForTenant(others);
  if (!isHere && !isInTenant) return undefined;
  const settled = {
    standing: trust.standing === 'vouched' && !isInTenant ? trust.standing : 'proven',
    scope: isInTenant ? TENANT : trust.scope,
    generation,
  } as const;
  const isSame =
    settled.standing === trust.standing &&
    settled.scope === trust.scope &&
    settled.generation === trust.generation;
  return isSame ? undefined : { ...settled, since: at };
}

/**
 * What a credential that has come to count makes of its proof. What was a kind before is one again; an address that a user was made
 * with is one at once.
 */
export function worthOfSettled(user: User, before: Trust, use: MethodUse): MethodUse['worth'] {
  const isOfNewUser = before.generation === FIRST && isCurrent(user, before) && before.standing !== 'vouched';
  return use.worth === 'proven' || before.standing === 'proven' || isOfNewUser ? 'proven' : 'verified';
}

/** The proofs of a login, as what has come to count by it makes them. */
export function usesAfter(
  login: BindingLogin,
  given: readonly MethodUse[],
  settled: readonly Settled[],
): readonly MethodUse[] {
  const { user, application } = login;
  return given.map((use) => {
    const before = partOf(login, use)?.trust;
    const now = settled.find((each) => each.use === use)?.trust;
    // What this login has made a kind, such as an account at a provider that it has linked, is none of its own.
    if (!now && (use.worth === 'verified' || use.worth === 'enrolled')) return use;
    const after = now ?? (before && isCurrent(user, before) ? before : undefined);
    const isOpen = after?.standing === 'proven' && covers(after.scope, application.applicationId);
    if (!before || !after || !isOpen) return use;
    return { ...use, scope: after.scope, worth: worthOfSettled(user, before, use) };
  });
}

/** A credential and what it is from now on. */
export interface Settled {
  readonly use: MethodUse;
  readonly trust: Trust;
}

/** Of the given proofs of a login, those whose credentials come to count. */
export const settledOf = (
  login: BindingLogin,
  given: readonly MethodUse[],
  surface: 'api' | 'pages',
): readonly Settled[] =>
  given.flatMap((use) => {
    const trust = settledBeside(login, use, surface);
    return trust ? [{ use, trust }] : [];
  });
