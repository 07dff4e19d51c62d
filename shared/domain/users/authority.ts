import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Address, User } from '../../ports/people.ts';
import { listClientPermissions } from '../oauth/permissions.ts';
import { isAdmin } from '../oauth/roles.ts';
import { isPrivilegedUser, type PrivilegePorts } from '../trust/privileged-user.ts';

// Rules on which users a caller may change. A permission says which operations a client may call, not which users it may
// change: the client of one application must not take over users of another. An admin token changes all users. A client with
// `users:…` in its own permissions or roles changes users of every application. Any other client changes only users who have no
// other application. For privileged users (those with roles, organization admins and operators), only an admin token may change
// who can log in or take rights away. An operator needs a fresh login for that, and all admins are notified. An operator
// without the role admin changes only users without privileges, in every application.

/**
 * Effect of a change. `opens`: the change can let another person into the account, or takes rights away. `closes`: it blocks a
 * user.
 */
export type ChangeEffect = 'opens' | 'closes';

type Caller = ClientCaller | AdminCaller;

/**
 * Returns true if both the client's record and its token have the permission. Both are required, because the permission applies
 * to users of every application.
 */
function hasTenantWidePermission(
  { client, application, permissions }: ClientCaller,
  permission: string,
): boolean {
  const isGranted = listClientPermissions(client, application)?.includes(permission) === true;
  return isGranted && permissions.includes(permission);
}

const isOnlyInApplication = ({ application }: ClientCaller, { applications }: User): boolean =>
  applications.length === 1 && applications[0] === application.applicationId;

const refused = (message: string) => new ServiceError('insufficient_permission', { message });

/**
 * Returns the error for a client that may not change the user, or undefined if it may. `permission` is the `users:…` permission
 * that applies to users of every application.
 */
export const findAccessRefusal = (
  caller: ClientCaller,
  user: User,
  permission: `users:${string}`,
): ServiceError | undefined =>
  isOnlyInApplication(caller, user) || hasTenantWidePermission(caller, permission)
    ? undefined
    : refused(
        `The user is not limited to this application. Only the user on the account page can do this, or a client with ${permission} in its own permissions or roles`,
      );

/** Returns the error for a client or operator that changes a privileged user; undefined for other users. */
export const findPrivilegeRefusal = async (
  ports: PrivilegePorts,
  user: User,
): Promise<ServiceError | undefined> =>
  (await isPrivilegedUser(ports, user))
    ? refused('Only an admin token can change a user who has roles or administers an organization')
    : undefined;

/**
 * Rejects a caller who may not change the user. This check is enough for changes that only block the user, and for reading
 * private data, because neither lets another person into the account. Errors: `insufficient_permission`.
 */
export function requireUserAccess(caller: Caller, user: User, permission: `users:${string}`): void {
  if (caller.kind === 'admin') return;
  const refusal = findAccessRefusal(caller, user, permission);
  if (refusal) throw refusal;
}

/** Rejects a client whose permissions do not cover all users of its tenant. Errors: `insufficient_permission`. */
export function requireTenantAccess(caller: Caller, permission: `users:${string}`): void {
  if (caller.kind !== 'admin' && !hasTenantWidePermission(caller, permission))
    throw refused(
      `Only an admin token can read this, or a client with ${permission} in its own permissions or roles`,
    );
}

/** Rejects a caller who must not make the change. Errors: `insufficient_permission`, `insufficient_user_authentication`. */
export async function requireMayChange(
  ports: PrivilegePorts,
  caller: Caller,
  user: User,
  { permission, effect }: { readonly permission: `users:${string}`; readonly effect: ChangeEffect },
): Promise<void> {
  requireUserAccess(caller, user, permission);
  const operator = caller.kind === 'admin' ? caller.operator : undefined;
  const needsGuard = operator && isAdmin(caller) && effect === 'opens';
  if (needsGuard && (await isPrivilegedUser(ports, user))) operator.guard();
  if (isAdmin(caller) || (caller.kind === 'client' && effect === 'closes')) return;
  const refusal = await findPrivilegeRefusal(ports, user);
  if (refusal) throw refusal;
}

/**
 * Returns the properties of an address that decide if it can log in. Declaring an address as verified again can reinstate it
 * and change where it is valid, without changing its value.
 */
const loginProperties = (address: Address | undefined) =>
  address && [address.value, address.standing, address.scope, address.generation];

/** Fields of a user that decide who can log in. Any client with the permission may change the other fields. */
const GUARDED: Readonly<Record<string, (user: User) => unknown>> = {
  email: ({ email }) => loginProperties(email),
  phoneNumber: ({ phoneNumber }) => loginProperties(phoneNumber),
  generations: ({ generations }) => generations,
  username: ({ username }) => username,
  customIdentifiers: ({ customIdentifiers }) => customIdentifiers,
  externalIds: ({ externalIds }) => externalIds,
  groups: ({ groups }) => groups,
  roles: ({ roles }) => roles,
};

/** Returns the effect of a change to a user record, or undefined if no guarded field changes. */
export function findChangeEffect(before: User, after: User): ChangeEffect | undefined {
  if (Object.values(GUARDED).some((read) => !isDeepStrictEqual(read(before), read(after)))) return 'opens';
  if (before.status === after.status) return undefined;
  return after.status === 'Disabled' ? 'closes' : 'opens';
}
