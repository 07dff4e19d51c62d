// Factor types that an account has, and factor types that a login has proven.
import type { AuthenticationMethod, ProvenMethod } from '../../ports/flows.ts';
import type { Passkey, PendingRecovery, UpstreamIdentity, User } from '../../ports/people.ts';
import type { FactorType, Trust } from '../../ports/trust.ts';
import { addressTypes, channels, toChannel } from '../../records/channels.ts';
import { listAddresses } from '../identifiers/stored-address.ts';
import { hasValidGeneration, TENANT_WIDE } from './generations.ts';

/** Returns the factor type of a login method. Email links and codes are one type: both prove access to the same mailbox. */
export function toFactorType(method: AuthenticationMethod): FactorType | undefined {
  const channel = toChannel(method);
  if (channel !== undefined) return addressTypes[channels[channel].address].factorType;
  if (method === 'webauthn') return 'passkey';
  // `otp` is not a factor type: the client delivers the code itself, so the code proves nothing to this service.
  return method === 'social' ? method : undefined;
}

/** User with all passkeys of the account. */
export interface AccountCredentials {
  readonly user: User;
  readonly passkeys: readonly Passkey[];
}

/** Placeholder for any application. With it, factors count regardless of the application in which they are valid. */
export const ANY_APPLICATION = Symbol('anywhere');
export type ApplicationOrAny = string | typeof ANY_APPLICATION;

/** Returns true if a credential with this scope (`*` or an application ID) is valid in the application. */
export const isValidIn = (scope: string, application: ApplicationOrAny): boolean =>
  application === ANY_APPLICATION || scope === TENANT_WIDE || scope === application;

/**
 * Returns true if the delay of a recovery has passed at `at` (epoch seconds). The recovery's factor types are then no longer
 * required.
 */
export const isRecoveryInEffect = (recovery: PendingRecovery | undefined, at: number): boolean =>
  recovery !== undefined &&
  recovery.effectiveAt <= at &&
  (recovery.cause !== 'granted' || at < recovery.endsAt);

/** Credential of an account, with its factor type. */
interface TypedCredential {
  readonly kind: FactorType;
  readonly trust: Trust;
}

/**
 * Lists the credentials of an account. A phone number with a reported risk is left out, because it does not count as a factor.
 */
function listCredentials({ user, passkeys }: AccountCredentials): readonly TypedCredential[] {
  const good = listAddresses(user).filter(({ address }) => !address.risk);
  return [
    ...good.map(({ type, address }) => ({ kind: addressTypes[type].factorType, trust: address })),
    ...passkeys.map((trust: Passkey) => ({ kind: 'passkey', trust }) as const),
    ...user.identities.map((trust: UpstreamIdentity) => ({ kind: 'social', trust }) as const),
  ];
}

/**
 * Returns true if a recovery in effect makes a credential optional. Credentials added after the recovery began stay required.
 */
const isWaivedByRecovery = (
  recovery: PendingRecovery | undefined,
  { kind, trust }: TypedCredential,
  at: number,
): boolean =>
  recovery !== undefined &&
  isRecoveryInEffect(recovery, at) &&
  recovery.kinds.includes(kind) &&
  trust.since <= recovery.since;

/** Returns true if a credential is a factor: it is proven and not superseded. */
const isFactor = ({ user }: AccountCredentials, { trust }: TypedCredential): boolean =>
  trust.standing === 'proven' && hasValidGeneration(user, trust);

/** Returns the scope of each factor of an account: `*`, or the ID of the only application in which the factor is valid. */
export const listFactorScopes = (account: AccountCredentials): readonly string[] =>
  listCredentials(account)
    .filter((held) => isFactor(account, held))
    .map(({ trust }) => trust.scope);

/**
 * Returns the factor types that an account has in an application (`existing`), and the factor types that a change of
 * credentials requires (`required`). A recovery that is in effect at `at` (epoch seconds) removes its factor types from the
 * requirement.
 */
export function findAccountFactorTypes(
  account: AccountCredentials,
  application: ApplicationOrAny,
  at: number,
): { readonly existing: ReadonlySet<FactorType>; readonly required: ReadonlySet<FactorType> } {
  const { user } = account;
  const { recovery } = user;
  const factors = listCredentials(account).filter(
    (each) => isFactor(account, each) && isValidIn(each.trust.scope, application),
  );
  const lasting = factors.filter((each) => !isWaivedByRecovery(recovery, each, at)).map(({ kind }) => kind);
  // A pending recovery lowers no requirement: its factor types stay required even if none of their credentials is a factor any
  // more.
  const waiting = recovery && !isRecoveryInEffect(recovery, at) ? recovery.kinds : [];
  return { existing: new Set(factors.map(({ kind }) => kind)), required: new Set([...lasting, ...waiting]) };
}

/** Returns the factor types of the proofs whose strength (`worth`) is one of the given values. */
const factorTypesWorth = (uses: readonly ProvenMethod[], ...counted: readonly ProvenMethod['worth'][]) => {
  const proven = uses
    .filter(({ worth }) => counted.includes(worth))
    .map(({ method }) => toFactorType(method));
  return new Set(proven.filter((kind) => kind !== undefined));
};

/** Returns the factor types used in a login, without factors that were added in the same login. */
export const listProvenFactorTypes = (uses: readonly ProvenMethod[]): ReadonlySet<FactorType> =>
  factorTypesWorth(uses, 'proven');

/**
 * Returns the factor types that count for multi-factor authentication. A factor that was enrolled in this login also counts.
 */
export const listMfaFactorTypes = (uses: readonly ProvenMethod[]): ReadonlySet<FactorType> =>
  factorTypesWorth(uses, 'proven', 'enrolled');

/** Returns true if at least one proof comes from a factor of the account. Only such a proof shows that the user is present. */
export const hasFactorProof = (uses: readonly ProvenMethod[]): boolean =>
  uses.some(({ worth }) => worth === 'proven');

/** Returns true if a login consists only of a session moved from another system, which cannot change credentials. */
export const isOnlyMovedSession = (uses: readonly ProvenMethod[]): boolean =>
  uses.length > 0 && uses.every(({ method }) => method === 'moved');

/** Returns true if all proofs of a login are insufficient by themselves, so that the user must also use another factor. */
export const needsAnotherFactor = (uses: readonly ProvenMethod[]): boolean =>
  uses.length > 0 && uses.every(({ worth }) => worth === 'quarantined');

/** Returns the proofs that are valid in an application. */
export const filterValidProofs = <Use extends ProvenMethod>(
  uses: readonly Use[],
  applicationId: string,
): readonly Use[] => uses.filter(({ scope }) => isValidIn(scope, applicationId));

/** Returns true if a proof is valid for logins to every application of the tenant. */
export const isValidTenantWide = ({ scope, worth }: ProvenMethod): boolean =>
  scope === TENANT_WIDE && worth !== 'quarantined';
