/**
 * @file The rule for adding and removing credentials: the login must use two of the account's factor types, or the account's
 * only factor type. One factor must not be enough to add a second factor (NIST SP 800-63B-4 §4.1.2.1, ASVS 6.3.7, 7.5.1).
 * Otherwise an attacker who reads a mailbox could add a passkey and would have two factors.
 */
import type { Application } from '../../ports/directory.ts';
import type { ProvenMethod } from '../../ports/flows.ts';
import { BINDING_MAX_AGE_SECONDS } from '../basis/limits.ts';
import {
  type AccountCredentials,
  ANY_APPLICATION,
  type ApplicationOrAny,
  findAccountFactorTypes,
  hasFactorProof,
  isValidIn,
  listFactorScopes,
  listProvenFactorTypes,
} from './factor-types.ts';
import { TENANT_WIDE } from './generations.ts';

/**
 * Proof that is missing for a change of credentials. `login`: the user has not used any factor of the account recently.
 * `second-factor`: the user has used one, but the change requires more factor types.
 */
export type MissingProof = 'login' | 'second-factor';

/** Returns the maximum age, in seconds, of a proof that allows a change of credentials. */
export function bindingMaxAge({ bindingMaxAgeSeconds }: Application): number {
  return bindingMaxAgeSeconds ?? BINDING_MAX_AGE_SECONDS;
}

/** Returns the proofs that are recent enough at `at` (epoch seconds) for a change of credentials. */
export function freshProofs<Use extends ProvenMethod>(
  application: Application,
  proofs: readonly Use[],
  at: number,
): readonly Use[] {
  return proofs.filter((proof) => at - proof.at < bindingMaxAge(application));
}

/**
 * Returns the proof that a login still needs before credentials can be changed in an application, or undefined if the proofs in
 * `fresh` suffice. The change requires proofs of two of the account's factor types in the application, or of one if the account
 * has only one there. After a recovery that makes all factor types optional, a proof of any of the account's factor types
 * suffices.
 */
export function findMissingProof(
  account: AccountCredentials,
  fresh: readonly ProvenMethod[],
  application: ApplicationOrAny,
  at: number,
): MissingProof | undefined {
  const { existing, required } = findAccountFactorTypes(account, application, at);
  const needed = required.size === 0 ? Math.min(1, existing.size) : Math.min(2, required.size);
  const here = fresh.filter(({ scope }) => isValidIn(scope, application));
  const proven = [...listProvenFactorTypes(here)].filter((kind) => existing.has(kind));
  if (proven.length >= needed) return undefined;
  return hasFactorProof(fresh) ? 'second-factor' : 'login';
}

/**
 * Returns the proof that a login still needs before tenant-wide credentials can be changed, or undefined if the proofs in
 * `fresh` suffice. Only tenant-wide proofs count, and they must cover the account's factor types in all applications. Otherwise
 * an application with fewer factor types could add or remove another application's second factor. If all factors of the account
 * are valid only in this application, the result is that of `findMissingProof`.
 */
export function findMissingProofInTenant(
  account: AccountCredentials,
  fresh: readonly ProvenMethod[],
  applicationId: string,
  at: number,
): MissingProof | undefined {
  const scopes = listFactorScopes(account);
  if (scopes.every((scope) => scope === applicationId))
    return findMissingProof(account, fresh, applicationId, at);
  return findMissingProof(
    account,
    fresh.filter(({ scope }) => scope === TENANT_WIDE),
    ANY_APPLICATION,
    at,
  );
}
