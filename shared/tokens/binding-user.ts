import { awaitAll } from '../domain/basis/await-all.ts';
import { BINDING_MAX_AGE_SECONDS } from '../domain/basis/limits.ts';
import { bindingMaxAge, freshProofs, lackForBinding } from '../domain/credentials/fresh-login.ts';
import {
  type Bound,
  countsInTenant,
  isBoundAt,
  type Marks,
  marksOfApi,
  usesAt,
} from '../domain/credentials/good-at.ts';
import { requireUser } from '../domain/identifiers/find-user.ts';
import { hasWaking } from '../domain/identifiers/sleep.ts';
import { relyingPartyOf } from '../domain/passkeys/relying-party.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AdminCaller, ClientCaller, Settings, UserCaller } from '../operation.ts';
import type { MethodUse, Session } from '../ports/flows.ts';
import type { Passkey, User } from '../ports/people.ts';
import type { Using } from '../ports/uses.ts';
import { insufficient, insufficientLogin, invalidToken, schemeOf } from './challenges.ts';
import { familyClaim } from './issue.ts';
import type { LivingTokenPorts } from './living-token.ts';
import { requireOwnLogin } from './own-user.ts';

type BindingSettings = Pick<Settings, 'defaultAudience' | 'browserOrigin'>;
type NamingPorts = LivingTokenPorts & Using<'passkeys.listOf'>;
type BindingPorts = NamingPorts & Using<'applications'>;

/** A user with all passkeys, and which of them the caller may change. */
type ChangeableUser = Pick<BindingUser, 'guard' | 'passkeys' | 'user'>;

/**
 * The proofs that a token stands for, each with its own time: those of its refresh family. Without one they are what its
 * session had by then. What the session was stepped up to elsewhere is none of them.
 */
function proofsOf({ amr, authTime, applicationId, familyClaim: name }: UserCaller, session: Session) {
  const family = session.families.find(({ familyId }) => familyClaim(familyId) === name);
  const proofs = family ? family.methods : session.methods.filter(({ at }) => at <= authTime);
  return usesAt(proofs, { applicationId }).filter(({ method }) => amr.includes(method));
}

/** Refuses a credential that the caller may neither name nor remove. An unknown one is answered later. */
export type Guard = (credential: Bound | undefined) => void;

/** A login that counts at one application alone changes only what is bound there. */
function guardOfLogin(caller: UserCaller, proofs: readonly MethodUse[], maxAge: number): Guard {
  return (credential) => {
    if (credential && !proofs.some(countsInTenant) && !isBoundAt(credential, caller))
      throw insufficientLogin(schemeOf(caller), 'login', maxAge);
  };
}

/** The client of an application also what people registered on its pages; a management client changes all. */
function guardOfClient(caller: ClientCaller | AdminCaller): Guard {
  return (credential) => {
    if (caller.kind !== 'client' || !credential) return;
    const { applicationId } = caller.application;
    if (credential.applicationId !== applicationId && !isBoundAt(credential, caller.application))
      throw insufficient('needs an admin token, because it was not registered at this application');
  };
}

/** A user whose token may bind and remove credentials, and the fresh proofs that allow it. */
export interface BindingUser {
  readonly user: User;
  readonly proofs: readonly MethodUse[];
  /** Of what is bound by them. */
  readonly marks: Marks;
  /** All of the user. */
  readonly passkeys: readonly Passkey[];
  readonly guard: Guard;
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
  const application = await ports.applications.find(caller.applicationId);
  if (!application) throw invalidToken('revoked', schemeOf(caller));
  const [{ user, session }, passkeys] = await awaitAll(
    requireOwnLogin(ports, caller, settings, now),
    ports.passkeys.listOf(caller.userId),
  );
  const { rpId } = relyingPartyOf(application, settings);
  const login = { user, application, rpId, passkeys, proofs: proofsOf(caller, session), at: now };
  const lack = lackForBinding(login);
  if (lack) throw insufficientLogin(schemeOf(caller), lack, bindingMaxAge(application));
  const proofs = freshProofs(login);
  const marks = { ...marksOfApi(session.wokenAt, application), ...(hasWaking(proofs) && { byOwner: true }) };
  const guard = guardOfLogin(caller, proofs, bindingMaxAge(application));
  return { user, proofs, marks, passkeys, guard };
}

/**
 * The user that a call names, for an operation that removes a passkey. Clients and operators need no login of the user.
 * Errors: `user_not_found`, `invalid_token`, `insufficient_user_authentication`.
 */
export async function requireChangeableUser(
  ports: BindingPorts,
  caller: UserCaller | ClientCaller | AdminCaller,
  userId: string,
  settings: BindingSettings,
  now: number,
): Promise<ChangeableUser> {
  if (caller.kind === 'user' && caller.userId === userId)
    return requireBindingUser(ports, caller, settings, now);
  return requireNameableUser(ports, caller, userId, settings, now);
}

/** The same for an operation that names one, which takes no fresh login. Errors: `user_not_found`, `invalid_token`. */
export async function requireNameableUser(
  ports: NamingPorts,
  caller: UserCaller | ClientCaller | AdminCaller,
  userId: string,
  settings: Pick<Settings, 'defaultAudience'>,
  now: number,
): Promise<ChangeableUser> {
  if (caller.kind !== 'user') {
    const user = await requireUser(ports.users, caller.tenant, userId);
    const passkeys = caller.kind === 'client' ? await ports.passkeys.listOf(userId) : [];
    return { user, passkeys, guard: guardOfClient(caller) };
  }
  const { user, session } = await requireOwnLogin(ports, caller, settings, now);
  if (user.userId !== userId) throw new ServiceError('user_not_found');
  const guard = guardOfLogin(caller, proofsOf(caller, session), BINDING_MAX_AGE_SECONDS);
  return { user, passkeys: await ports.passkeys.listOf(userId), guard };
}
