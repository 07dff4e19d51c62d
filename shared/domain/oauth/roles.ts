import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';

/** Lists the permissions that roles have in an application. A role that the application does not define has no permissions. */
export function listRolePermissions(
  application: Pick<Application, 'roles'> | undefined,
  roles: readonly string[],
): readonly string[] {
  const known = application?.roles?.filter(({ name }) => roles.includes(name)) ?? [];
  return [...new Set(known.flatMap(({ permissions }) => permissions))];
}

/** Returns true if the caller is a management client, or an operator with full access to the tenant. */
export const isAdmin = (caller: ClientCaller | AdminCaller): boolean =>
  caller.kind === 'admin' && (!caller.operator || caller.operator.role === 'admin');

/**
 * Rejects a caller who must not assign roles to users. All applications of a tenant read the roles, so a client of one
 * application could otherwise grant rights in other applications. Errors: `insufficient_permission`.
 */
export function requireMayAssignRoles(caller: ClientCaller | AdminCaller, roles: unknown): void {
  if (roles === undefined || isAdmin(caller)) return;
  throw new ServiceError('insufficient_permission', {
    message: 'roles: only an admin token can change the roles of a user',
  });
}

const VERIFY_USERS = 'users:verify';

/**
 * Rejects a caller who must not declare an address as verified. The declaration would replace a verification, and a verified
 * address can supersede the user's earlier credentials. Errors: `insufficient_permission`.
 */
export function requireMayVerify(
  caller: ClientCaller | AdminCaller,
  fields: {
    readonly email_verified?: boolean | undefined;
    readonly phone_number_verified?: boolean | undefined;
  },
): void {
  const mayVerify =
    isAdmin(caller) || (caller.kind === 'client' && caller.permissions.includes(VERIFY_USERS));
  for (const field of ['email_verified', 'phone_number_verified'] as const)
    if (fields[field] && !mayVerify)
      throw new ServiceError('insufficient_permission', {
        message: `${field}: requires the permission ${VERIFY_USERS}`,
      });
}
