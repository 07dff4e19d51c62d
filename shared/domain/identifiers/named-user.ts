import type { Tenant } from '../../ports/directory.ts';
import type { Identifier, User } from '../../ports/people.ts';
import { hashSecret } from '../basis/random.ts';
import { BUILT_IN_TYPES, identifiersOf, normaliseIdentifier } from './identifier.ts';
import { identifierHash } from './identifier-hash.ts';

/** Whom a passkey login was opened for, kept so that the table of challenges tells nobody. */

/** Hashed with the session's secret as well: without it nobody learns who was named. */
function namedHash(tenant: Tenant, identifier: Identifier, sessionId: string): string {
  return hashSecret(`${sessionId}\n${identifierHash(tenant, identifier)}`);
}

/** Everything that a name can mean: a user ID at least. Nobody is looked up: a stranger cannot tell by anything who exists. */
export function namedHashes(tenant: Tenant, name: string | undefined, sessionId: string): readonly string[] {
  if (name === undefined) return [];
  return BUILT_IN_TYPES.map((type) => normaliseIdentifier(type, name))
    .filter((identifier) => identifier !== undefined)
    .map((identifier) => namedHash(tenant, identifier, sessionId));
}

/** Whether the user is one whom the name can mean; without a name everybody is. */
export function isNamed(tenant: Tenant, named: readonly string[], user: User, sessionId: string): boolean {
  if (named.length === 0) return true;
  const own = [...identifiersOf(user), { type: 'user_id', value: user.userId }];
  return own.some((identifier) => named.includes(namedHash(tenant, identifier, sessionId)));
}
