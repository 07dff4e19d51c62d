import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Role } from '../../ports/directory.ts';
import { PERMISSIONS_OF_ROLES_MAX } from '../basis/limits.ts';

/** Normalises permission names: replaces `[appId]` by the ID of the application and removes duplicates. */
export function readPermissions(applicationId: string, given: readonly string[]): readonly string[] {
  return [...new Set(given.map((name) => name.replace('[appId]', applicationId)))];
}

/** Validates an application's roles. Errors: `system_invalid_input` for a duplicate name or too many permissions in total. */
export function readRoles({ applicationId }: Application, given: readonly Role[]): readonly Role[] {
  given.forEach(({ name }, index) => {
    if (given.findIndex((role) => role.name === name) < index)
      throw invalidInput(`roles.${index}.name: must be unique`);
  });
  const roles = given.map(({ name, permissions }) => ({
    name,
    permissions: readPermissions(applicationId, permissions),
  }));
  if (roles.flatMap(({ permissions }) => permissions).length > PERMISSIONS_OF_ROLES_MAX)
    throw invalidInput(`roles: must not have more than ${PERMISSIONS_OF_ROLES_MAX} permissions in all`);
  return roles;
}
