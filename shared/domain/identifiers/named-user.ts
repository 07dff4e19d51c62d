// Name that a user entered before a passkey login, stored as hashes that readers of the challenge table cannot reverse.
import type { ApplicationOfTenant, Tenant } from '../../ports/directory.ts';
import type { Identifier, User } from '../../ports/people.ts';
import { hashSecret } from '../basis/random.ts';
import {
  BUILT_IN_TYPES,
  externalIdentifier,
  listExternalIdentifiers,
  listIdentifiers,
  normaliseIdentifier,
} from './identifier.ts';
import { identifierHash } from './identifier-hash.ts';

/**
 * Returns the hash of an identifier and a session ID. A reader of the table cannot guess the identifier, because the session ID
 * is secret.
 */
function namedHash(tenant: Tenant, identifier: Identifier, sessionId: string): string {
  return hashSecret(`${sessionId}\n${identifierHash(tenant, identifier)}`);
}

/**
 * Returns the hashes of all identifiers that a name entered for a passkey login can mean. Looks up no user, because the lookup
 * could reveal whether the account exists.
 */
export function namedHashes(
  { tenant, application }: ApplicationOfTenant,
  name: string | undefined,
  sessionId: string,
): readonly string[] {
  if (name === undefined) return [];
  const external = externalIdentifier({ applicationId: application.applicationId, value: name });
  return [...BUILT_IN_TYPES.map((type) => normaliseIdentifier(type, name)), external]
    .filter((identifier) => identifier !== undefined)
    .map((identifier) => namedHash(tenant, identifier, sessionId));
}

/** Returns true if the name entered for a passkey login can belong to the user, or if no name was entered. */
export function matchesNamedUser(
  tenant: Tenant,
  named: readonly string[],
  user: User,
  sessionId: string,
): boolean {
  if (named.length === 0) return true;
  const own = [
    ...listIdentifiers(user),
    { type: 'user_id', value: user.userId },
    ...listExternalIdentifiers(user),
  ];
  return own.some((identifier) => named.includes(namedHash(tenant, identifier, sessionId)));
}
