import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, ProvenAddress, User } from '../../ports/people.ts';
import type { Generations, Trust } from '../../ports/trust.ts';
import type { BindingLogin } from './binding.ts';
import { FIRST, handedOver, isCurrent, isNext, isShutOut, TENANT, todays } from './generations.ts';
import { covers, type Holding, hasPerson, kindsHad } from './kinds.ts';
import { freshProofs, lackAt } from './lack.ts';
import { settledBeside, worthOfSettled } from './settle.ts';

/** What follows when a code, a link or a provider has proven an address of the user. */

type Attribute = ProvenAddress['attribute'];

export interface AddressProof {
  /** The proof as one of its login. `quarantined`: it logs in only beside another. */
  readonly use: MethodUse;
  /** What the address is from now on; undefined: as before. */
  readonly trust: Trust | undefined;
  /** The first proof of an address that was set without a login: all sessions end. Undefined: nothing is shut out. */
  readonly handover: Generations | undefined;
}

const without = (user: User, attribute: Attribute): User => {
  const { [attribute]: _, ...rest } = user;
  return rest;
};

/** Whether nothing else of the user logs in at the application: the first address there is the user's. */
function isFirstAt(
  { user, passkeys }: Holding,
  attribute: Attribute,
  { applicationId }: Application,
  at: number,
) {
  const others = without(user, attribute);
  const { [attribute === 'email' ? 'phoneNumber' : 'email']: other } = user;
  const isGiven = other && !isShutOut(user, other) && covers(other.scope, applicationId);
  return !isGiven && kindsHad({ user: others, passkeys }, applicationId, at).had.size === 0;
}

/**
 * Where the first proof of an account is good. A client that gives a new user two addresses says that they are one person's: a proof
 * through its API holds for that at its application alone.
 */
function scopeOfFirst(
  user: User,
  attribute: Attribute,
  { scope }: Address,
  surface: 'api' | 'pages',
  isHere: boolean,
): string {
  const { [attribute === 'email' ? 'phoneNumber' : 'email']: other } = user;
  const isOfTwo = other !== undefined && !isShutOut(user, other);
  return isHere && surface === 'api' && isOfTwo ? scope : TENANT;
}

/** Whether a proof is one of two factors, although nothing has proven the address before: a user has to begin with two. */
function isKindAtOnce(had: number, { generation }: Trust): boolean {
  return had === 0 || (had === 1 && generation === FIRST);
}

/** Whether this proof makes the account that of the prover, whatever else it has. */
export const takesAccount = (
  user: User,
  address: Address,
  proofs: readonly MethodUse[],
  { applicationId }: Application,
): boolean =>
  isNext(user, address) &&
  !hasPerson(proofs) &&
  (address.generation !== FIRST || covers(address.scope, applicationId));

/**
 * `login` is the login so far, without this proof. On the pages of the API (`api`) a backend answers for the addresses that it
 * has given a new user; on ours (`pages`) the person is asked for the one beside the other.
 */
export function proveAddress(
  login: BindingLogin,
  attribute: Attribute,
  address: Address,
  proof: Pick<MethodUse, 'method' | 'at'>,
  surface: 'api' | 'pages',
): AddressProof {
  const { user, passkeys, application, at } = login;
  const { applicationId } = application;
  const fresh = freshProofs(application, login.proofs, at);
  // Also an old login of the same browser: it is the person's, though it may no longer bind.
  const isBeside = hasPerson(login.proofs);
  const isHere = covers(address.scope, applicationId);
  const use = (scope: string, worth: MethodUse['worth']): MethodUse => ({
    ...{ method: proof.method, at: proof.at },
    ...{ scope, worth, credential: attribute },
  });
  const others: Holding = { user: without(user, attribute), passkeys };
  const quarantined: AddressProof = {
    use: use(address.scope, 'quarantined'),
    trust: undefined,
    handover: undefined,
  };
  if (isNext(user, address) && !isBeside) {
    // One that came later takes the account, wherever its owner logs in first.
    const isTaken = takesAccount(user, address, login.proofs, application);
    if (!isTaken && !isFirstAt(login, attribute, application, at)) return quarantined;
    const isOfNewUser = address.generation === FIRST;
    const scope = isOfNewUser ? scopeOfFirst(user, attribute, address, surface, isHere) : TENANT;
    const { generation, ...handover } = handedOver(user.generations, address);
    return {
      use: use(scope, 'proven'),
      trust: { standing: 'proven', scope, generation, since: at },
      handover,
    };
  }
  const { had } = kindsHad(others, applicationId, at);
  const lacks = lackAt(others, fresh, applicationId, at) !== undefined;
  if (isShutOut(user, address)) {
    const settled = isBeside ? settledBeside(login, quarantined.use, surface) : undefined;
    return settled
      ? {
          use: use(settled.scope, worthOfSettled(user, address, quarantined.use)),
          trust: settled,
          handover: undefined,
        }
      : quarantined;
  }
  if (!isHere && !isFirstAt(login, attribute, application, at)) {
    const settled = isBeside ? settledBeside(login, quarantined.use, surface) : undefined;
    if (!settled) return quarantined;
    const worth = worthOfSettled(user, address, quarantined.use);
    return { use: use(settled.scope, worth), trust: settled, handover: undefined };
  }
  if (isHere && isCurrent(user, address) && address.standing === 'proven')
    return { ...quarantined, use: use(address.scope, 'proven') };
  // On our pages the person is asked for what the account has, once.
  if (surface === 'pages' && had.size > 0 && !isBeside) return quarantined;
  const isFirst = had.size === 0;
  const scope = isFirst ? scopeOfFirst(user, attribute, address, surface, isHere) : address.scope;
  const worth = isKindAtOnce(had.size, address) || address.standing === 'proven' ? 'proven' : 'verified';
  const trust: Trust = {
    standing: lacks ? 'verified' : 'proven',
    scope,
    generation: isCurrent(user, address) ? address.generation : todays(user),
    since: at,
  };
  return { use: use(scope, worth), trust, handover: undefined };
}

/** Whether an address counts here like any other: then a login by it asks nothing of the account. */
export const isPlain = (user: User, address: Address, { applicationId }: Application): boolean =>
  address.standing === 'proven' && isCurrent(user, address) && covers(address.scope, applicationId);
