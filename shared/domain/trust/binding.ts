// Trust of credentials that a user adds in a login.
import type { Application } from '../../ports/directory.ts';
import type { ProvenMethod } from '../../ports/flows.ts';
import type { Trust } from '../../ports/trust.ts';
import { type AccountCredentials, hasFactorProof, listProvenFactorTypes } from './factor-types.ts';
import { currentGeneration, TENANT_WIDE } from './generations.ts';
import { findMissingProof, findMissingProofInTenant, freshProofs } from './missing-proof.ts';

/** Login that adds, removes or changes credentials of its user. */
export interface BindingLogin extends AccountCredentials {
  readonly application: Application;
  /** Proofs of the login, each with the time at which the user used the factor. */
  readonly proofs: readonly ProvenMethod[];
  /** Time of the change in epoch seconds. */
  readonly at: number;
}

/** Returns the proof that a login lacks for changing credentials in its application, or undefined if the login suffices. */
export const findMissingBindingProof = ({ application, proofs, at, ...account }: BindingLogin) =>
  findMissingProof(account, freshProofs(application, proofs, at), application.applicationId, at);

/** Returns the proof that a login lacks for changing tenant-wide credentials, or undefined if the login suffices. */
export const findMissingTenantProof = ({ application, proofs, at, ...account }: BindingLogin) =>
  findMissingProofInTenant(account, freshProofs(application, proofs, at), application.applicationId, at);

/**
 * Returns the trust of a credential that only a client vouches for. The user can log in to the client's application with the
 * credential, but the credential is not a factor.
 */
export const createVouchedTrust = (
  user: Parameters<typeof currentGeneration>[0],
  { applicationId: scope }: Application,
  since: number,
): Trust => ({ standing: 'vouched', scope, generation: currentGeneration(user), since });

/** Returns the trust of a credential added through the API: `vouched`, or `proven` if the user has recently used a factor. */
export function createApiTrust({ user, application, proofs, at }: BindingLogin): Trust {
  const vouched = createVouchedTrust(user, application, at);
  return hasFactorProof(freshProofs(application, proofs, at)) ? { ...vouched, standing: 'proven' } : vouched;
}

/**
 * Returns the trust of a new device key. A device key signs without asking its owner again. It is therefore a factor only if
 * two factor types, or a passkey, were used in the login that adds it.
 */
export function deviceKeyTrust(login: BindingLogin): Trust {
  const trust = createApiTrust(login);
  const provenTypes = listProvenFactorTypes(freshProofs(login.application, login.proofs, login.at));
  const isFactor = provenTypes.size > 1 || provenTypes.has('passkey');
  return trust.standing === 'proven' && !isFactor ? { ...trust, standing: 'verified' } : trust;
}

/**
 * Returns the trust of a credential that is added on hosted pages. The credential is valid in the whole tenant if the login's
 * tenant-wide proofs meet all that the account requires. Otherwise it is valid only in this application. It is a factor only if
 * the login has all proofs that adding a credential requires.
 */
export function createPageTrust(login: BindingLogin): Trust {
  const bound = createApiTrust(login);
  const { application, proofs, at } = login;
  const fresh = freshProofs(application, proofs, at);
  if (hasFactorProof(fresh) && !findMissingTenantProof(login))
    return { ...bound, standing: 'proven', scope: TENANT_WIDE };
  return bound.standing === 'proven' && findMissingBindingProof(login)
    ? { ...bound, standing: 'verified' }
    : bound;
}
