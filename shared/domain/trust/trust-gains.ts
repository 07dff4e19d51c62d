/**
 * @file Credentials that gain trust by the login in which they are used. A credential may be superseded, valid in one
 * application only, or not count as a factor. It becomes proven and valid if the other proofs of the login would be enough to
 * add the credential: they must meet what the account without this credential requires. No other credential is reinstated by
 * the login.
 */
import type { MethodUse, ProvenMethod } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import { ADDRESS_TYPES, addressTypes } from '../../records/channels.ts';
import { type BindingLogin, findMissingBindingProof, findMissingTenantProof } from './binding.ts';
import { type AccountCredentials, hasFactorProof, isValidIn, toFactorType } from './factor-types.ts';
import {
  currentGeneration,
  FIRST_GENERATION,
  hasValidGeneration,
  isLoginDelayed,
  TENANT_WIDE,
} from './generations.ts';
import { freshProofs } from './missing-proof.ts';
import { identityName } from './names.ts';

/** Credential with which a proof was given, and the account's other credentials. */
export interface UsedCredential {
  readonly trust: Trust & Pick<Address, 'delayedUntil'>;
  /** User and passkeys without the used credential. */
  readonly others: AccountCredentials;
}

/** Finds the credential with which a proof was given. Returns undefined if the user no longer has it. */
export function findUsedCredential(
  { user, passkeys }: AccountCredentials,
  { method, credential }: MethodUse,
): UsedCredential | undefined {
  const kind = toFactorType(method);
  const type = ADDRESS_TYPES.find((each) => addressTypes[each].factorType === kind);
  if (type !== undefined) {
    const { attribute } = addressTypes[type];
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

/** Returns true if a credential has the highest trust: proven, tenant-wide and in a valid generation. */
const hasFullTrust = (user: User, { standing, scope, ...numbered }: Trust): boolean =>
  standing === 'proven' && scope === TENANT_WIDE && hasValidGeneration(user, numbered);

/**
 * Returns the new trust of a credential that was used together with other proofs of a login. Returns undefined if the trust
 * does not change.
 */
export function computeTrustAfterLogin(
  login: BindingLogin,
  use: MethodUse,
  surface: 'api' | 'pages',
  part = findUsedCredential(login, use),
): Trust | undefined {
  const { user, application, at } = login;
  if (!part || hasFullTrust(user, part.trust)) return undefined;
  const { trust } = part;
  const withheld = isLoginDelayed(user, trust, at);
  // If an operator has set a new address since the proof, the proof belongs to the previous address.
  if (withheld && (use.worth !== 'quarantined' || use.at < trust.since)) return undefined;
  // A mailed link may be opened by a person who did not start the login, so a link reinstates no credential.
  const isByMailedLink = ({ method }: ProvenMethod) =>
    surface === 'pages' && method === 'eml' && !hasValidGeneration(user, trust);
  if (isByMailedLink(use) || use.worth === 'enrolled') return undefined;
  const proofs = login.proofs.filter(
    (other) => toFactorType(other.method) !== toFactorType(use.method) && !isByMailedLink(other),
  );
  const others: BindingLogin = { ...login, ...part.others, proofs };
  const isHere = isValidIn(trust.scope, application.applicationId);
  // If a client has added the credential, or if it is superseded, withheld or valid elsewhere, another proof by the user is
  // needed.
  const needsPerson = trust.standing === 'vouched' || !hasValidGeneration(user, trust) || !isHere || withheld;
  if (needsPerson && !hasFactorProof(freshProofs(application, proofs, at))) return undefined;
  const generation = hasValidGeneration(user, trust) ? trust.generation : currentGeneration(user);
  if (findMissingBindingProof(others))
    return withheld ? { standing: 'verified', scope: trust.scope, generation, since: at } : undefined;
  const isInTenant = (surface === 'pages' || !isHere) && !findMissingTenantProof(others);
  if (!isHere && !isInTenant) return undefined;
  const settled = {
    standing: trust.standing === 'vouched' && !isInTenant ? trust.standing : 'proven',
    scope: isInTenant ? TENANT_WIDE : trust.scope,
    generation,
  } as const;
  const isSame =
    settled.standing === trust.standing &&
    settled.scope === trust.scope &&
    settled.generation === trust.generation;
  return isSame ? undefined : { ...settled, since: at };
}

/**
 * Returns the strength (`worth`) of a proof whose credential has gained trust in the same login: `proven` if the credential was
 * a factor already or is an address with which the user was created, else `verified`. `before` is its earlier trust.
 */
export function computeWorthAfterLogin(user: User, before: Trust, use: MethodUse): MethodUse['worth'] {
  const isOfNewUser =
    before.generation === FIRST_GENERATION &&
    hasValidGeneration(user, before) &&
    before.standing !== 'vouched';
  return use.worth === 'proven' || before.standing === 'proven' || isOfNewUser ? 'proven' : 'verified';
}

/** Returns the proofs of a login with the scope and strength that they have after its credentials have gained trust. */
export function computeProofsAfterLogin(
  login: BindingLogin,
  given: readonly MethodUse[],
  settled: readonly TrustGain[],
): readonly MethodUse[] {
  const { user, application } = login;
  return given.map((use) => {
    const before = findUsedCredential(login, use)?.trust;
    const now = settled.find((each) => each.use === use)?.trust;
    // If this login itself has made the credential a factor, such as a newly linked provider account, it is no factor of this
    // login.
    if (!now && (use.worth === 'verified' || use.worth === 'enrolled')) return use;
    const after = now ?? (before && hasValidGeneration(user, before) ? before : undefined);
    const isOpen = after?.standing === 'proven' && isValidIn(after.scope, application.applicationId);
    if (!before || !after || !isOpen) return use;
    return { ...use, scope: after.scope, worth: computeWorthAfterLogin(user, before, use) };
  });
}

/** Credential used in a login, and the higher trust that the login gives to the credential. */
export interface TrustGain {
  readonly use: MethodUse;
  readonly trust: Trust;
}

/** Finds the credentials that gain trust by a login. Returns each proof with the new trust of its credential. */
export const findTrustGains = (
  login: BindingLogin,
  given: readonly MethodUse[],
  surface: 'api' | 'pages',
): readonly TrustGain[] =>
  given.flatMap((use) => {
    const trust = computeTrustAfterLogin(login, use, surface);
    return trust ? [{ use, trust }] : [];
  });
