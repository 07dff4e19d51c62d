import { ServiceError } from '../errors/service-error.ts';
import type { Client } from '../ports/directory.ts';

/** What a client of an application may do when it was given no permissions of its own: everything there. */
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

/**
 * The scope of a client token: the client's permissions, narrowed to those that were asked for (RFC 6749 §3.3).
 * Errors: `invalid_scope` when none of them is the client's.
 */
export function grantedScope(client: Client, requested: string | undefined): string {
  const own =
    client.permissions ?? (client.applicationId === undefined ? ['*'] : allOf(client.applicationId));
  const asked = requested?.split(' ').filter((name) => name !== '') ?? [];
  if (asked.length === 0) return own.join(' ');
  const granted = asked.filter((name) => own.includes(name));
  if (granted.length === 0) throw new ServiceError('invalid_scope');
  return granted.join(' ');
}
