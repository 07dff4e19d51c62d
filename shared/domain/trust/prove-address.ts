// Effects of a proof of an email address or phone number by a code, a link or a provider.
import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, ProvenAddress, User } from '../../ports/people.ts';
import type { Generations, Trust } from '../../ports/trust.ts';
import { listAddresses } from '../identifiers/stored-address.ts';
import type { BindingLogin } from './binding.ts';
import {
  type AccountCredentials,
  findAccountFactorTypes,
  hasFactorProof,
  isValidIn,
} from './factor-types.ts';
import {
  currentGeneration,
  FIRST_GENERATION,
  hasValidGeneration,
  isLoginDelayed,
  isSuperseded,
  startsNewGeneration,
  supersedeEarlierGenerations,
  TENANT_WIDE,
} from './generations.ts';
import { findMissingProof, freshProofs } from './missing-proof.ts';
import { computeTrustAfterLogin, computeWorthAfterLogin } from './trust-gains.ts';

type Attribute = ProvenAddress['attribute'];

/** Effects that verifying an address has on the login and on the user. */
export interface AddressProof {
  /** Proof that is added to the login. The proof is insufficient if the user also needs another factor to log in. */
  readonly use: MethodUse;
  /** Trust of the address after the proof. Undefined if the trust does not change. */
  readonly trust: Trust | undefined;
  /**
   * Credential generations after a proof that supersedes all other credentials and ends all sessions. Undefined for any other
   * proof.
   */
  readonly newGenerations: Generations | undefined;
}

const without = (user: User, attribute: Attribute): User => {
  const { [attribute]: _, ...rest } = user;
  return rest;
};

/** Returns true if the user has no other credential with which they can log in to the application. */
function isFirstAt(
  { user, passkeys }: AccountCredentials,
  attribute: Attribute,
  { applicationId }: Application,
  at: number,
) {
  const others = without(user, attribute);
  const isGiven = listAddresses(others).some(
    ({ address }) => !isSuperseded(user, address) && isValidIn(address.scope, applicationId),
  );
  return (
    !isGiven && findAccountFactorTypes({ user: others, passkeys }, applicationId, at).existing.size === 0
  );
}

/**
 * Returns true if the first verification of an address counts as a factor in the same login. If it did not, a new user could
 * never log in with two factors. `existing` is the number of factor types that the account has without the address.
 */
function isFactorAtOnce(existing: number, { generation }: Trust): boolean {
  return existing === 0 || (existing === 1 && generation === FIRST_GENERATION);
}

type Proof = Pick<MethodUse, 'method' | 'at'>;
/** Interface through which the user has verified the address: the API of an application, or the hosted pages. */
type Surface = 'api' | 'pages';

/** Address that a user has just proven, with the login to which the proof is added. */
interface ProvenAddressInput extends Proof {
  readonly login: BindingLogin;
  readonly attribute: Attribute;
  readonly address: Address;
  readonly surface: Surface;
}

/**
 * Returns where the first proven address of an account is valid: tenant-wide, with one exception. If a client created the user
 * with two addresses, only the client claims that both belong to one person. A proof through the API is then valid only in the
 * client's application.
 */
function chooseFirstValidIn(
  { login: { user }, attribute, address, surface }: ProvenAddressInput,
  isHere: boolean,
): string {
  const others = listAddresses(without(user, attribute));
  const isOfTwo = others.some((other) => !isSuperseded(user, other.address));
  return isHere && surface === 'api' && isOfTwo ? address.scope : TENANT_WIDE;
}

const toMethodUse = (
  { method, at, attribute }: ProvenAddressInput,
  scope: string,
  worth: MethodUse['worth'],
): MethodUse => ({
  method,
  at,
  scope,
  worth,
  credential: attribute,
});

/**
 * Returns an insufficient proof: the user can log in only with another factor as well. The trust of the address does not
 * change.
 */
const insufficient = (input: ProvenAddressInput): AddressProof => ({
  use: toMethodUse(input, input.address.scope, 'quarantined'),
  trust: undefined,
  newGenerations: undefined,
});

/**
 * Returns the proof of an address that takes over the account and supersedes all earlier credentials. An address that was set
 * after the user was created takes over the account in the application in which its owner first logs in. An address with which
 * the user was created takes over the account only in applications where the address is valid, or where the user has no other
 * way to log in.
 */
function proveTakingAccount(input: ProvenAddressInput, isHere: boolean): AddressProof {
  const { login, attribute, address, at: since } = input;
  const { user, application, at } = login;
  const isOfNewUser = address.generation === FIRST_GENERATION;
  if (isOfNewUser && !isHere && !isFirstAt(login, attribute, application, at)) return insufficient(input);
  const scope = isOfNewUser ? chooseFirstValidIn(input, isHere) : TENANT_WIDE;
  const { generation, ...newGenerations } = supersedeEarlierGenerations(user.generations, address);
  const trust = { standing: 'proven', scope, generation, since } as const;
  return { use: toMethodUse(input, scope, 'proven'), trust, newGenerations };
}

/**
 * Returns the proof of an address that is superseded or not valid in this application. If the other proofs of the login are
 * enough to add a credential, the address becomes valid. Otherwise its proof is insufficient.
 */
function proveOtherAddress(input: ProvenAddressInput): AddressProof {
  const { login, address, surface } = input;
  const alone = insufficient(input);
  const trust = computeTrustAfterLogin(login, alone.use, surface);
  if (!trust) return alone;
  const worth = computeWorthAfterLogin(login.user, address, alone.use);
  return { use: toMethodUse(input, trust.scope, worth), trust, newGenerations: undefined };
}

/**
 * Returns the proof of an address that is valid in this application. The address becomes a factor if the other proofs of the
 * login are enough to add a credential to the account without this address.
 */
function proveValidAddress(input: ProvenAddressInput, isHere: boolean): AddressProof {
  const { login, attribute, address, surface, at: since } = input;
  const { user, passkeys, application, at } = login;
  const { applicationId } = application;
  const others: AccountCredentials = { user: without(user, attribute), passkeys };
  const { size: existing } = findAccountFactorTypes(others, applicationId, at).existing;
  // Hosted pages also ask for a factor that the account has. They do not ask again for an address that an operator has set once
  // its delay has passed.
  const isAsked = surface === 'pages' && address.delayedUntil === undefined;
  if (isAsked && existing > 0 && !hasFactorProof(login.proofs)) return insufficient(input);
  const lack = findMissingProof(others, freshProofs(application, login.proofs, at), applicationId, at);
  const trust: Trust = {
    standing: lack ? 'verified' : 'proven',
    scope: existing === 0 ? chooseFirstValidIn(input, isHere) : address.scope,
    generation: hasValidGeneration(user, address) ? address.generation : currentGeneration(user),
    since,
  };
  const worth = isFactorAtOnce(existing, address) || address.standing === 'proven' ? 'proven' : 'verified';
  return { use: toMethodUse(input, trust.scope, worth), trust, newGenerations: undefined };
}

/**
 * Determines how strong the proof of an address is in this login, and the new trust of the address. `login` contains only the
 * other proofs.
 *
 * In the API, each of the two addresses with which a backend has created a user is enough to log in, because the backend
 * vouches for both. On hosted pages, once one of the two addresses is proven, a login with the other one requires proofs of
 * both. A proof of the first address in an earlier login of the same browser counts, even if it is too old to change
 * credentials.
 */
export function proveAddress(
  login: BindingLogin,
  { attribute, address }: Pick<ProvenAddressInput, 'attribute' | 'address'>,
  { method, at }: Proof,
  surface: Surface,
): AddressProof {
  const { user, application } = login;
  const input: ProvenAddressInput = { login, attribute, address, surface, method, at };
  const isHere = isValidIn(address.scope, application.applicationId);
  const isAlone = !hasFactorProof(login.proofs);
  if (isAlone && isLoginDelayed(user, address, login.at)) return insufficient(input);
  if (isAlone && startsNewGeneration(user, address)) return proveTakingAccount(input, isHere);
  const isElsewhere = !isHere && !isFirstAt(login, attribute, application, login.at);
  if (isSuperseded(user, address) || isElsewhere) return proveOtherAddress(input);
  if (!isFactorIn(user, address, application)) return proveValidAddress(input, isHere);
  return { ...insufficient(input), use: toMethodUse(input, address.scope, 'proven') };
}

/** Returns true if a credential is proven and valid in the application, so that it is enough to log in. */
export const isFactorIn = (user: User, trust: Trust, { applicationId }: Application): boolean =>
  trust.standing === 'proven' && hasValidGeneration(user, trust) && isValidIn(trust.scope, applicationId);

/**
 * Returns true if the user's record is enough to determine the strength of an address's proof, so that the passkeys need not be
 * read. This is the case in three situations:
 * - the address is already a factor
 * - the user has never logged in, so no passkey counts
 * - the address takes over the account without another proof, which supersedes all passkeys
 */
export function canProveWithoutPasskeys(
  user: User,
  address: Address,
  application: Application,
  proofs: readonly MethodUse[],
): boolean {
  const isHere = isValidIn(address.scope, application.applicationId);
  const handsOver =
    startsNewGeneration(user, address) &&
    !hasFactorProof(proofs) &&
    (isHere || address.generation !== FIRST_GENERATION);
  return user.lastAuthAt === undefined || isFactorIn(user, address, application) || handsOver;
}
