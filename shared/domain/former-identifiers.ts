import type { Tenant } from '../ports/directory.ts';
import type { FormerIdentifier, Identifier, User } from '../ports/people.ts';
import { identifierHash } from './identifier-hash.ts';
import {
  CONSUMED_KEPT_SECONDS,
  DAY_SECONDS,
  FORMER_EMAILS_MAX,
  FORMER_IDENTIFIERS_MAX,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_FAILURES_KEPT_SECONDS,
  SECONDS_PER_MINUTE,
} from './limits.ts';

/** No code or counter of an identifier is kept longer after the identifier was given up. */
const KEPT_SECONDS =
  PASSCODE_FAILURES_KEPT_SECONDS + PASSCODE_EXPIRES_MINUTES_MAX * SECONDS_PER_MINUTE + CONSUMED_KEPT_SECONDS;

/** The address that a user had before is told of the change too (ASVS 6.3.6), and then forgotten; see domain/notices. */
export function rememberFormerEmail(before: User, after: User, at: number): Pick<User, 'formerEmails'> {
  const kept = before.formerEmails ?? [];
  const changed = before.email !== undefined && before.email.value !== after.email?.value;
  const all =
    changed && before.email ? [...kept, { value: before.email.value, until: at + DAY_SECONDS }] : kept;
  const living = all.filter(({ until }) => until > at);
  return living.length === 0 ? {} : { formerEmails: living.slice(-FORMER_EMAILS_MAX) };
}

/**
 * What the user's record remembers of identifiers that it gives up: their codes and failure counters outlive the change,
 * and erasing the user must find them. The newest ones, where somebody changes their name all day.
 */
export function rememberFormer(
  tenant: Tenant,
  user: User,
  givenUp: readonly Identifier[],
  at: number,
): Pick<User, 'formerIdentifiers'> {
  const before = (user.formerIdentifiers ?? []).filter(({ until }) => until > at);
  const added = givenUp.map(
    (identifier): FormerIdentifier => ({
      hash: identifierHash(tenant, identifier),
      until: at + KEPT_SECONDS,
    }),
  );
  const all = [...before.filter(({ hash }) => !added.some((each) => each.hash === hash)), ...added];
  return all.length === 0 ? {} : { formerIdentifiers: all.slice(-FORMER_IDENTIFIERS_MAX) };
}
