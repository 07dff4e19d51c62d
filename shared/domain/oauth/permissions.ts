import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client } from '../../ports/directory.ts';
import { listRolePermissions } from './roles.ts';

/** Lists all permissions for an application. A client without a permission list gets all of these permissions. */
function listAllPermissions(applicationId: string): readonly string[] {
  const verbs = ['create', 'read', 'edit', 'delete'];
  return [
    'apps:execute',
    `${applicationId}:execute`,
    'auth:execute',
    ...['apps', 'users', 'resources', applicationId].flatMap((noun) =>
      verbs.map((verb) => `${noun}:${verb}`),
    ),
  ];
}

/**
 * Lists the permissions of a client, including those of its roles. Returns undefined for a client that has neither permissions
 * nor roles, because such a client may do everything.
 */
export function listClientPermissions(
  { permissions, roles }: Client,
  application: Pick<Application, 'roles'> | undefined,
): readonly string[] | undefined {
  if (permissions === undefined && roles === undefined) return undefined;
  return [...new Set([...(permissions ?? []), ...listRolePermissions(application, roles ?? [])])];
}

/**
 * Returns the scope of a client token: the client's permissions, reduced to the requested ones (RFC 6749 §3.3).
 * Errors: `invalid_scope` if the client has none of the requested permissions.
 */
export function computeGrantedScope(
  client: Client,
  application: Pick<Application, 'roles'> | undefined,
  requested: string | undefined,
): string {
  const own =
    listClientPermissions(client, application) ??
    (client.applicationId === undefined ? ['*'] : listAllPermissions(client.applicationId));
  const requestedNames = requested?.split(' ').filter((name) => name !== '') ?? [];
  if (requestedNames.length === 0) return own.join(' ');
  const granted = requestedNames.filter((name) => own.includes(name));
  if (granted.length === 0)
    throw new ServiceError('invalid_scope', { message: `scope: the client may request ${own.join(' ')}` });
  return granted.join(' ');
}
