import { awaitAll } from '../domain/basis/await-all.ts';
import { BINDING_MAX_AGE_SECONDS } from '../domain/basis/limits.ts';
import { requireUser } from '../domain/identifiers/find-user.ts';
import { type BindingLogin, findMissingBindingProof } from '../domain/trust/binding.ts';
import {
  filterValidProofs,
  isOnlyMovedSession,
  isValidTenantWide,
  listProvenFactorTypes,
} from '../domain/trust/factor-types.ts';
import { TENANT_WIDE } from '../domain/trust/generations.ts';
import { bindingMaxAge, findMissingProof, freshProofs } from '../domain/trust/missing-proof.ts';
import type { PrivilegePorts } from '../domain/trust/privileged-user.ts';
import { findAccessRefusal, findPrivilegeRefusal } from '../domain/users/authority.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AdminCaller, ClientCaller, Settings, UserCaller } from '../operation.ts';
import type { ProvenMethod, Session } from '../ports/flows.ts';
import type { Passkey, User } from '../ports/people.ts';
import type { Trust } from '../ports/trust.ts';
import type { PortsWith } from '../ports/uses.ts';
import type { ActiveTokenPorts } from './active-token.ts';
import { insufficientLogin, invalidToken, tokenScheme } from './challenges.ts';
import { familyClaim } from './issue.ts';
import { type CallNamingUser, requireOwnLogin } from './own-user.ts';

type BindingSettings = Pick<Settings, 'defaultAudience'>;
type NamingPorts = ActiveTokenPorts & PrivilegePorts & PortsWith<'passkeys.listOf'>;
type BindingPorts = ActiveTokenPorts & PortsWith<'applications' | 'passkeys.listOf'>;

/** User with all passkeys, and the guard that decides which credentials the caller may change. */
type ChangeableUser = Pick<BindingUser, 'guard' | 'factorTypeCount' | 'passkeys' | 'user'>;

/**
 * Returns the proofs on which a token is based, each with its own time. A token of a refresh family is based on the proofs of
 * that family's login. Any other token is based on the proofs that the session had when the token was issued.
 */
function readProofs({ amr, issuedAt, applicationId, familyClaim: name }: UserCaller, session: Session) {
  const family = session.families.find(({ familyId }) => familyClaim(familyId) === name);
  const proofs: readonly ProvenMethod[] =
    family?.methods ?? session.methods.filter(({ at }) => at <= issuedAt);
  return filterValidProofs(proofs, applicationId).filter(({ method }) => amr.includes(method));
}

/** Function that throws if the caller may not change a credential. Call it with `undefined` for a missing credential. */
export type CredentialGuard = (credential: Pick<Trust, 'scope'> | undefined) => void;

/** Returns the guard for a user's login. A login valid in one application may change only that application's credentials. */
function createLoginGuard(
  caller: UserCaller,
  proofs: readonly ProvenMethod[],
  maxAge: number,
): CredentialGuard {
  return (credential) => {
    if (credential && !proofs.some(isValidTenantWide) && credential.scope !== caller.applicationId)
      throw insufficientLogin(tokenScheme(caller), 'login', maxAge);
  };
}

/**
 * Returns the guard for a client. A management client may change all credentials. An application's client may change the
 * credentials of its own application, and all credentials of users whom it may edit, but none of privileged users. An error
 * does not reveal whether a credential exists.
 */
async function createClientGuard(
  ports: PrivilegePorts,
  caller: ClientCaller | AdminCaller,
  user: User,
): Promise<CredentialGuard> {
  if (caller.kind !== 'client') return () => undefined;
  const refusal = await findPrivilegeRefusal(ports, user);
  const reach = findAccessRefusal(caller, user, 'users:edit');
  return (credential) => {
    if (refusal) throw refusal;
    if (reach && credential?.scope !== caller.application.applicationId) throw reach;
  };
}

/** User whose token may add and remove credentials, and the recent proofs that permit this. */
export interface BindingUser {
  readonly user: User;
  /** Login on which the token is based, with the proofs that are required to add credentials. */
  readonly login: BindingLogin;
  /** All passkeys of the user. */
  readonly passkeys: readonly Passkey[];
  readonly guard: CredentialGuard;
  /** Number of factor types used in the login. With two, undoing a change made in this login requires more than a link. */
  readonly factorTypeCount: number;
}

/**
 * Returns the user of a token for operations that add or remove a credential. The login must be recent, and must have two
 * factor types if the account has two. Errors: `invalid_token`, `insufficient_user_authentication`.
 */
export async function requireBindingUser(
  ports: BindingPorts,
  caller: UserCaller,
  settings: BindingSettings,
  now: number,
): Promise<BindingUser> {
  const application = await ports.applications.find(caller.applicationId);
  if (!application) throw invalidToken('revoked', tokenScheme(caller));
  const [{ user, session }, passkeys] = await awaitAll(
    requireOwnLogin(ports, caller, settings, now),
    ports.passkeys.listOf(caller.userId),
  );
  const proofs = readProofs(caller, session);
  const login = { user, application, passkeys, proofs, at: now };
  const lack = isOnlyMovedSession(proofs) ? 'login' : findMissingBindingProof(login);
  if (lack) throw insufficientLogin(tokenScheme(caller), lack, bindingMaxAge(application));
  const fresh = freshProofs(application, proofs, now);
  const maxAge = bindingMaxAge(application);
  const loginGuard = createLoginGuard(caller, proofs, maxAge);
  const guard: CredentialGuard = (credential) => {
    loginGuard(credential);
    if (!credential || credential.scope === TENANT_WIDE) return;
    // A login to an application with fewer factor types must not be able to remove the second factor of another application.
    const lackThere = findMissingProof(login, fresh, credential.scope, now);
    if (lackThere) throw insufficientLogin(tokenScheme(caller), lackThere, maxAge);
  };
  return { user, login, passkeys, guard, factorTypeCount: listProvenFactorTypes(fresh).size };
}

/**
 * Returns the user of a request to remove a passkey. Clients and operators can make this request without a login of the user.
 * Errors: `user_not_found`, `invalid_token`, `insufficient_user_authentication`.
 */
export async function requireChangeableUser(
  ports: BindingPorts & NamingPorts,
  call: CallNamingUser & { readonly settings: BindingSettings },
  userId: string,
): Promise<ChangeableUser> {
  const { caller, settings, request } = call;
  if (caller.kind === 'user' && caller.userId === userId)
    return requireBindingUser(ports, caller, settings, request.now);
  return requireNameableUser(ports, call, userId);
}

/**
 * Returns the user of a request to rename a passkey, which does not require a recent login. Errors: `user_not_found`,
 * `invalid_token`.
 */
export async function requireNameableUser(
  ports: NamingPorts,
  { caller, settings, request: { now } }: CallNamingUser,
  userId: string,
): Promise<ChangeableUser> {
  if (caller.kind !== 'user') {
    const user = await requireUser(ports.users, caller.tenant, userId);
    const [passkeys, guard] = await awaitAll(
      ports.passkeys.listOf(userId),
      createClientGuard(ports, caller, user),
    );
    return { user, passkeys, guard, factorTypeCount: 0 };
  }
  const { user, session } = await requireOwnLogin(ports, caller, settings, now);
  if (user.userId !== userId) throw new ServiceError('user_not_found');
  const proofs = readProofs(caller, session);
  if (isOnlyMovedSession(proofs))
    throw insufficientLogin(tokenScheme(caller), 'login', BINDING_MAX_AGE_SECONDS);
  const guard = createLoginGuard(caller, proofs, BINDING_MAX_AGE_SECONDS);
  return { user, passkeys: await ports.passkeys.listOf(userId), guard, factorTypeCount: 0 };
}
