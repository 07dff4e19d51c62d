import { awaitAll } from '../domain/basis/await-all.ts';
import { bindingMaxAge, freshProofs, lackForBinding } from '../domain/credentials/fresh-login.ts';
import { type Marks, marksOfApi, usesAt } from '../domain/credentials/good-at.ts';
import { hasWaking } from '../domain/identifiers/sleep.ts';
import { relyingPartyOf } from '../domain/passkeys/relying-party.ts';
import type { AdminCaller, ClientCaller, Settings, UserCaller } from '../operation.ts';
import type { MethodUse, Session } from '../ports/flows.ts';
import type { User } from '../ports/people.ts';
import type { Using } from '../ports/uses.ts';
import { insufficientLogin, invalidToken, schemeOf } from './challenges.ts';
import { familyClaim } from './issue.ts';
import type { LivingTokenPorts } from './living-token.ts';
import { requireOwnLogin, requireReachableUser } from './own-user.ts';

type BindingSettings = Pick<Settings, 'defaultAudience' | 'browserOrigin'>;
type BindingPorts = LivingTokenPorts & Using<'applications' | 'tenants' | 'passkeys.listOf'>;

/**
 * The proofs that a token stands for, each with its own time: those of its refresh family. Without one they are what its
 * session had by then. What the session was stepped up to elsewhere is none of them.
 */
function proofsOf({ amr, authTime, applicationId, familyClaim: name }: UserCaller, session: Session) {
  const family = session.families.find(({ familyId }) => familyClaim(familyId) === name);
  const proofs = family?.methods ?? session.methods.filter(({ at }) => at <= authTime);
  return usesAt(proofs, { applicationId }).filter(({ method }) => amr.includes(method));
}

/** A user whose token may bind and remove credentials, and the fresh proofs that allow it. */
export interface BindingUser {
  readonly user: User;
  readonly proofs: readonly MethodUse[];
  /** Of what is bound by them. */
  readonly marks: Marks;
}

/**
 * The user of a token, for operations that bind or remove a credential: the login must be recent, and by two kinds where the
 * account has two. Errors: `invalid_token`, `insufficient_user_authentication`.
 */
export async function requireBindingUser(
  ports: BindingPorts,
  caller: UserCaller,
  settings: BindingSettings,
  now: number,
): Promise<BindingUser> {
  const [application, tenant] = await awaitAll(
    ports.applications.find(caller.applicationId),
    ports.tenants.find(caller.tenantId),
  );
  if (!application || !tenant) throw invalidToken('revoked', schemeOf(caller));
  const [{ user, session }, passkeys] = await awaitAll(
    requireOwnLogin(ports, caller, settings, now),
    ports.passkeys.listOf(caller.userId),
  );
  const { rpId } = relyingPartyOf(application, settings);
  const login = { user, tenant, application, rpId, passkeys, proofs: proofsOf(caller, session), at: now };
  const lack = lackForBinding(login);
  if (lack) throw insufficientLogin(schemeOf(caller), lack, bindingMaxAge(application));
  const proofs = freshProofs(login);
  const marks = { ...marksOfApi(session.wokenAt, application), ...(hasWaking(proofs) && { byOwner: true }) };
  return { user, proofs, marks };
}

/**
 * The user that a call names, for an operation that removes a credential. Clients and operators need no login of the user.
 * Errors: `user_not_found`, `invalid_token`, `insufficient_user_authentication`.
 */
export async function requireChangeableUser(
  ports: BindingPorts,
  caller: UserCaller | ClientCaller | AdminCaller,
  userId: string,
  settings: BindingSettings,
  now: number,
): Promise<User> {
  if (caller.kind !== 'user' || caller.userId !== userId)
    return requireReachableUser(ports, caller, userId, settings, now);
  return (await requireBindingUser(ports, caller, settings, now)).user;
}
