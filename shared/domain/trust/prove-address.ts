import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, ProvenAddress, User } from '../../ports/people.ts';
import type { Generations, Trust } from '../../ports/trust.ts';
import type { BindingLogin } from './binding.ts';
import {
  FIRST,
  handedOver,
  isCurrent,
  isNext,
  isShutOut,
  isWithheld,
  TENANT,
  todays,
} from './generations.ts';
import { covers, type Holding, hasPerson, kindsHad } from './kinds.ts';
import { freshProofs, lackAt } from './lack.ts';
import { settledBeside, worthOfSettled } from './settle.ts';

/** What follows when a code, a link or a provider has proven an address of the user. */

type Attribute = ProvenAddress['attribute'];

export interface AddressProof {
  /** The proof as one of its login. `quarantined`: it logs in only with another. */
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

/** Whether a proof is one of two factors, although nothing has proven the address before: a user has to begin with two. */
function isKindAtOnce(had: number, { generation }: Trust): boolean {
  return had === 0 || (had === 1 && generation === FIRST);
}

type Proof = Pick<MethodUse, 'method' | 'at'>;
type Surface = 'api' | 'pages';

/** An address, its login so far without the proof at hand, and where that is given. */
interface Given extends Proof {
  readonly login: BindingLogin;
  readonly attribute: Attribute;
  readonly address: Address;
  readonly surface: Surface;
}

/**
 * Where the first proof of an account is good. A client that gives a new user two addresses says that they are one person's: a proof
 * through its API holds for that at its application alone.
 */
function scopeOfFirst({ login: { user }, attribute, address, surface }: Given, isHere: boolean): string {
  const { [attribute === 'email' ? 'phoneNumber' : 'email']: other } = user;
  const isOfTwo = other !== undefined && !isShutOut(user, other);
  return isHere && surface === 'api' && isOfTwo ? address.scope : TENANT;
}

const useOf = ({ method, at, attribute }: Given, scope: string, worth: MethodUse['worth']): MethodUse => ({
  method,
  at,
  scope,
  worth,
  credential: attribute,
});

/** The proof of an address that logs in only with another proof. */
const quarantined = (given: Given): AddressProof => ({
  use: useOf(given, given.address.scope, 'quarantined'),
  trust: undefined,
  handover: undefined,
});

/** Shuts out what was there before. One that was set later takes the account wherever its owner logs in first. */
function handOver(given: Given, isHere: boolean): AddressProof {
  const { login, attribute, address, at: since } = given;
  const { user, application, at } = login;
  const isOfNewUser = address.generation === FIRST;
  if (isOfNewUser && !isHere && !isFirstAt(login, attribute, application, at)) return quarantined(given);
  const scope = isOfNewUser ? scopeOfFirst(given, isHere) : TENANT;
  const { generation, ...handover } = handedOver(user.generations, address);
  const trust = { standing: 'proven', scope, generation, since } as const;
  return { use: useOf(given, scope, 'proven'), trust, handover };
}

/** Comes to count by the other proofs of the login, or waits for them. */
function joined(given: Given): AddressProof {
  const { login, address, surface } = given;
  const alone = quarantined(given);
  const trust = settledBeside(login, alone.use, surface);
  if (!trust) return alone;
  const worth = worthOfSettled(login.user, address, alone.use);
  return { use: useOf(given, trust.scope, worth), trust, handover: undefined };
}

/** Logs in here. It is a kind where the login gives what binding asks of the account without it. */
function opened(given: Given, isHere: boolean): AddressProof {
  const { login, attribute, address, surface, at: since } = given;
  const { user, passkeys, application, at } = login;
  const { applicationId } = application;
  const others: Holding = { user: without(user, attribute), passkeys };
  const { size: had } = kindsHad(others, applicationId, at).had;
  // On our pages the person is asked for what the account has, once; not for an address that an operator set and that has waited.
  const isAsked = surface === 'pages' && address.opensAt === undefined;
  if (isAsked && had > 0 && !hasPerson(login.proofs)) return quarantined(given);
  const lack = lackAt(others, freshProofs(application, login.proofs, at), applicationId, at);
  const trust: Trust = {
    standing: lack ? 'verified' : 'proven',
    scope: had === 0 ? scopeOfFirst(given, isHere) : address.scope,
    generation: isCurrent(user, address) ? address.generation : todays(user),
    since,
  };
  const worth = isKindAtOnce(had, address) || address.standing === 'proven' ? 'proven' : 'verified';
  return { use: useOf(given, trust.scope, worth), trust, handover: undefined };
}

/**
 * `login` is the login so far, without this proof. Through the API a backend answers for the addresses that it has given a new
 * user; on our pages the person is asked for the one beside the other. An old login of the same browser is the person's too, though
 * it may no longer bind.
 */
export function proveAddress(
  login: BindingLogin,
  { attribute, address }: Pick<Given, 'attribute' | 'address'>,
  { method, at }: Proof,
  surface: Surface,
): AddressProof {
  const { user, application } = login;
  const given: Given = { login, attribute, address, surface, method, at };
  const isHere = covers(address.scope, application.applicationId);
  const isAlone = !hasPerson(login.proofs);
  if (isAlone && isWithheld(user, address, login.at)) return quarantined(given);
  if (isAlone && isNext(user, address)) return handOver(given, isHere);
  const isElsewhere = !isHere && !isFirstAt(login, attribute, application, login.at);
  if (isShutOut(user, address) || isElsewhere) return joined(given);
  if (!isPlain(user, address, application)) return opened(given, isHere);
  return { ...quarantined(given), use: useOf(given, address.scope, 'proven') };
}

/** Returns true if a credential is proven and valid at the application: a login by it asks for nothing else of the account. */
export const isPlain = (user: User, trust: Trust, { applicationId }: Application): boolean =>
  trust.standing === 'proven' && isCurrent(user, trust) && covers(trust.scope, applicationId);

/**
 * Whether what its proof is worth follows from the user alone: then no passkeys need to be read. Before the first login there are
 * none that count, and a first proof without company asks for none.
 */
export function needsNoPasskeys(
  user: User,
  address: Address,
  application: Application,
  proofs: readonly MethodUse[],
): boolean {
  const isHere = covers(address.scope, application.applicationId);
  const handsOver = isNext(user, address) && !hasPerson(proofs) && (isHere || address.generation !== FIRST);
  return user.lastAuthAt === undefined || isPlain(user, address, application) || handsOver;
}
