import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';

/** What the application lets roles do. One that it does not have, or no longer has, lets nobody do anything. */
export function permissionsOfRoles(
  application: Pick<Application, 'roles'> | undefined,
  roles: readonly string[],
): readonly string[] {
  const known = application?.roles?.filter(({ name }) => roles.includes(name)) ?? [];
  return [...new Set(known.flatMap(({ permissions }) => permissions))];
}

/**
 * Users are the tenant's, and each of its applications reads their roles: a client of one of them could give somebody power
 * in the others. Errors: `insufficient_permission`.
 */
export function requireMayGiveRoles(caller: ClientCaller | AdminCaller, roles: unknown): void {
  if (roles === undefined || caller.kind === 'admin') return;
  throw new ServiceError('insufficient_permission', {
    message: 'roles: it takes an admin token to change the roles of a user',
  });
}
