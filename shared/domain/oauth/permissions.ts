import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client } from '../../ports/directory.ts';
import { permissionsOfRoles } from './roles.ts';

/** All permissions at an application, for a client without permissions of its own. */
function allOf(applicationId: string): readonly string[] {
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

/** The permissions of a client and of its roles. Undefined when it has neither: it may do everything. */
export function permissionsOfClient(
  { permissions, roles }: Client,
  application: Pick<Application, 'roles'> | undefined,
): readonly string[] | undefined {
  if (permissions === undefined && roles === undefined) return undefined;
  return [...new Set([...(permissions ?? []), ...permissionsOfRoles(application, roles ?? [])])];
}

/**
 * The scope of a client token: the client's permissions, narrowed to the requested ones (RFC 6749 §3.3).
 * Errors: `invalid_scope` when none of them is the client's.
 */
export function grantedScope(
  client: Client,
  application: Pick<Application, 'roles'> | undefined,
  requested: string | undefined,
): string {
  const own =
    permissionsOfClient(client, application) ??
    (client.applicationId === undefined ? ['*'] : allOf(client.applicationId));
  const asked = requested?.split(' ').filter((name) => name !== '') ?? [];
  if (asked.length === 0) return own.join(' ');
  const granted = asked.filter((name) => own.includes(name));
  if (granted.length === 0)
    throw new ServiceError('invalid_scope', { message: `scope: the client may ask for ${own.join(' ')}` });
  return granted.join(' ');
}
