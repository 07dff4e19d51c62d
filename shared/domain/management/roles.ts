import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Role } from '../../ports/directory.ts';
import { PERMISSIONS_OF_ROLES_MAX } from '../basis/limits.ts';

/** Replaces `[appId]` by the application's ID. */
export function readPermissions(applicationId: string, given: readonly string[]): readonly string[] {
  return [...new Set(given.map((name) => name.replace('[appId]', applicationId)))];
}

/** Errors: `system_invalid_input` for a name that comes twice, and for too many permissions in all. */
export function readRoles({ applicationId }: Application, given: readonly Role[]): readonly Role[] {
  given.forEach(({ name }, index) => {
    if (given.findIndex((role) => role.name === name) < index)
      throw invalidInput(`roles.${index}.name: must not come twice`);
  });
  const roles = given.map(({ name, permissions }) => ({
    name,
    permissions: readPermissions(applicationId, permissions),
  }));
  if (roles.flatMap(({ permissions }) => permissions).length > PERMISSIONS_OF_ROLES_MAX)
    throw invalidInput(`roles: must not have more than ${PERMISSIONS_OF_ROLES_MAX} permissions in all`);
  return roles;
}
