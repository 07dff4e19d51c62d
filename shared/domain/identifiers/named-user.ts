import type { ApplicationOfTenant, Tenant } from '../../ports/directory.ts';
import type { Identifier, User } from '../../ports/people.ts';
import { hashSecret } from '../basis/random.ts';
import {
  BUILT_IN_TYPES,
  externalIdentifier,
  externalIdentifiersOf,
  identifiersOf,
  normaliseIdentifier,
} from './identifier.ts';
import { identifierHash } from './identifier-hash.ts';

/** The name that a passkey login was opened for, unreadable in the table of challenges. */

/** Hashed with the session's secret as well: without it the name cannot be guessed. */
function namedHash(tenant: Tenant, identifier: Identifier, sessionId: string): string {
  return hashSecret(`${sessionId}\n${identifierHash(tenant, identifier)}`);
}

/** Everything that a name can mean: a user ID at least. Without a lookup, which could reveal whether the account exists. */
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

/** Whether the name can mean the user; without a name it means every user. */
export function isNamed(tenant: Tenant, named: readonly string[], user: User, sessionId: string): boolean {
  if (named.length === 0) return true;
  const own = [
    ...identifiersOf(user),
    { type: 'user_id', value: user.userId },
    ...externalIdentifiersOf(user),
  ];
  return own.some((identifier) => named.includes(namedHash(tenant, identifier, sessionId)));
}
