import type { Application } from '../../ports/directory.ts';
import type { ProvenMethod } from '../../ports/flows.ts';
import type { Trust } from '../../ports/trust.ts';
import { TENANT, todays } from './generations.ts';
import { type Holding, hasPerson, kindsOf } from './kinds.ts';
import { freshProofs, lackAt, lackInTenant } from './lack.ts';

/** What is bound in a login. */

export interface BindingLogin extends Holding {
  readonly application: Application;
  /** What proved the login, each with its own time. */
  readonly proofs: readonly ProvenMethod[];
  /** Epoch seconds. */
  readonly at: number;
}

export const lackForBinding = ({ application, proofs, at, ...holding }: BindingLogin) =>
  lackAt(holding, freshProofs(application, proofs, at), application.applicationId, at);

/** For what counts in the tenant. */
export const lackForTenant = ({ application, proofs, at, ...holding }: BindingLogin) =>
  lackInTenant(holding, freshProofs(application, proofs, at), application.applicationId, at);

/** What a client binds by itself: it logs in at its application, and no one is asked for it. */
export const vouchedAt = (
  user: Parameters<typeof todays>[0],
  { applicationId: scope }: Application,
  since: number,
): Trust => ({ standing: 'vouched', scope, generation: todays(user), since });

/** What a login binds through the API of an application. Where nothing but the client stands behind it, the client vouches. */
export function boundByApi({ user, application, proofs, at }: BindingLogin): Trust {
  const vouched = vouchedAt(user, application, at);
  return hasPerson(freshProofs(application, proofs, at)) ? { ...vouched, standing: 'proven' } : vouched;
}

/** A device key signs without its owner being asked again: it is a kind if two stood behind it, or a passkey. */
export function deviceKeyTrust(login: BindingLogin): Trust {
  const trust = boundByApi(login);
  const given = kindsOf(freshProofs(login.application, login.proofs, login.at));
  const isKind = given.size > 1 || given.has('passkey');
  return trust.standing === 'proven' && !isKind ? { ...trust, standing: 'verified' } : trust;
}

/**
 * What a login binds on our pages: in the tenant, if what it gave of what counts there is all that is asked of the account.
 * Otherwise at the application, and as a kind only if the login lacks nothing there.
 */
export function boundOnPages(login: BindingLogin): Trust {
  const bound = boundByApi(login);
  const { application, proofs, at } = login;
  const fresh = freshProofs(application, proofs, at);
  if (hasPerson(fresh) && !lackForTenant(login)) return { ...bound, standing: 'proven', scope: TENANT };
  return bound.standing === 'proven' && lackForBinding(login) ? { ...bound, standing: 'verified' } : bound;
}
