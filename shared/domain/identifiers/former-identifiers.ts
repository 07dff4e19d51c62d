import type { Tenant } from '../../ports/directory.ts';
import type { FormerIdentifier, Identifier, User } from '../../ports/people.ts';
import {
  CONSUMED_KEPT_SECONDS,
  FORMER_IDENTIFIERS_MAX,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_FAILURES_KEPT_SECONDS,
  SECONDS_PER_MINUTE,
} from '../basis/limits.ts';
import { identifierHash } from './identifier-hash.ts';

/** Maximum time in seconds for which codes and counters outlive their identifier or their application. */
export const CODES_KEPT_SECONDS =
  PASSCODE_FAILURES_KEPT_SECONDS + PASSCODE_EXPIRES_MINUTES_MAX * SECONDS_PER_MINUTE + CONSUMED_KEPT_SECONDS;

/**
 * Adds hashes of removed identifiers to the user's record. Codes and failure counters of these identifiers outlive the change,
 * and erasing the user must find them. Only the newest hashes are kept, so that frequent renaming does not fill the record.
 */
export function rememberFormerIdentifiers(
  tenant: Tenant,
  user: User,
  givenUp: readonly Identifier[],
  at: number,
): Pick<User, 'formerIdentifiers'> {
  const before = (user.formerIdentifiers ?? []).filter(({ until }) => until > at);
  const added = givenUp.map(
    (identifier): FormerIdentifier => ({
      hash: identifierHash(tenant, identifier),
      until: at + CODES_KEPT_SECONDS,
    }),
  );
  const all = [...before.filter(({ hash }) => !added.some((each) => each.hash === hash)), ...added];
  return all.length === 0 ? {} : { formerIdentifiers: all.slice(-FORMER_IDENTIFIERS_MAX) };
}
