import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';

/** The permissions of roles at an application. A role that it does not have gives none. */
export function permissionsOfRoles(
  application: Pick<Application, 'roles'> | undefined,
  roles: readonly string[],
): readonly string[] {
  const known = application?.roles?.filter(({ name }) => roles.includes(name)) ?? [];
  return [...new Set(known.flatMap(({ permissions }) => permissions))];
}

/**
 * All applications of a tenant read the roles of its users: a client of one application must not give power in the others.
 * Errors: `insufficient_permission`.
 */
export function requireMayGiveRoles(caller: ClientCaller | AdminCaller, roles: unknown): void {
  if (roles === undefined || caller.kind === 'admin') return;
  throw new ServiceError('insufficient_permission', {
    message: 'roles: it takes an admin token to change the roles of a user',
  });
}
