import type { Application, Role } from '../../ports/directory.ts';
import { refuseInput } from './change-record.ts';

export interface RoleRecord {
  readonly name: string;
  readonly permissions: string[];
}

export function roleRecords({ roles = [] }: Application): RoleRecord[] {
  return roles.map(({ name, permissions }) => ({ name, permissions: [...permissions] }));
}

/** `[appId]` stands for the application. */
export function readPermissions(applicationId: string, given: readonly string[]): readonly string[] {
  return [...new Set(given.map((name) => name.replace('[appId]', applicationId)))];
}

/** Errors: `system_invalid_input` for a name that comes twice. */
export function readRoles({ applicationId }: Application, given: readonly Role[]): readonly Role[] {
  given.forEach(({ name }, index) => {
    if (given.findIndex((role) => role.name === name) < index)
      refuseInput(`roles.${index}.name: must not come twice`);
  });
  return given.map(({ name, permissions }) => ({
    name,
    permissions: readPermissions(applicationId, permissions),
  }));
}
