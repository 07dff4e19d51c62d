// Information for support about a person who reports that no code came.
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { TimelineEvent } from '../../ports/events.ts';
import type { Identifier, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { isAddressType } from '../../records/channels.ts';
import { toWireDate } from '../basis/time.ts';
import { arePasscodesDisabled } from '../credentials/guesses.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { listIdentifiers } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { listCodeLocks } from '../users/codes-of-user.ts';
import { isBlocked } from '../users/user-status.ts';

/** Reason why a user gets no codes at present. The values of `reason` equal those for which messages are rejected. */
export interface HoldRecord {
  readonly reason:
    | 'wrong_codes'
    | 'codes_off'
    | 'mail_bounced'
    | 'mail_complaint'
    | 'number_at_risk'
    | 'user_disabled';
  /** Application in which wrong codes have locked the user. */
  readonly app_id?: string;
  readonly since?: string;
  /** End of the lock. Absent if it lasts until the user or an operator ends it. */
  readonly until?: string;
  /** Number of wrong codes that caused the lock. */
  readonly tries?: number;
}

interface KeptPageRequest extends PageRequest {
  /** Returns true for events that the caller may see. Absent if the caller may see all events. */
  readonly keep?: ((event: TimelineEvent) => boolean) | undefined;
}

/** Returns a page of a user's events, including messages to their addresses from before the user was created. */
export function readTimeline(
  { timeline }: PortsWith<'timeline.listWithMessages'>,
  tenant: Tenant,
  user: User,
  { keep, ...page }: KeptPageRequest,
): Promise<Page<TimelineEvent>> {
  const addresses = listIdentifiers(user).filter(({ type }) => isAddressType(type));
  const hashes = addresses.map((address) => identifierHash(tenant, address));
  return timeline.listWithMessages(user.userId, [user.userId, ...hashes], page, keep);
}

/** Returns the reasons why a user gets no codes at present. Reasons without an end time come first. */
export async function findHolds(
  ports: PortsWith<'otps.locksOf' | 'guesses.areFull'>,
  tenant: Tenant,
  user: User,
  at: number,
): Promise<readonly HoldRecord[]> {
  const { email, phoneNumber, wrongGuesses } = user;
  const holds: HoldRecord[] = [];
  if (isBlocked(user)) holds.push({ reason: 'user_disabled' });
  if (email?.undeliverable) {
    const { reason, since } = email.undeliverable;
    holds.push({
      reason: reason === 'bounce' ? 'mail_bounced' : 'mail_complaint',
      since: toWireDate(since),
    });
  }
  if (phoneNumber?.risk)
    holds.push({ reason: 'number_at_risk', since: toWireDate(phoneNumber.risk.reportedAt) });
  const areOff = wrongGuesses && (await arePasscodesDisabled(ports, tenant, user));
  if (areOff) holds.push({ reason: 'codes_off' });
  // Of the locks in an application, only the one that ends last.
  const locks = (await listCodeLocks(ports, { tenant, user }, at)).toSorted((a, b) => a.until - b.until);
  for (const { applicationId: app_id, until, tries } of new Map(
    locks.map((lock) => [lock.applicationId, lock]),
  ).values())
    holds.push({ reason: 'wrong_codes', app_id, until: toWireDate(until), tries });
  return holds;
}

/** Returns the messages that were sent to an address or rejected, and the user who has the address, if there is one. */
export async function findDeliveries(
  ports: PortsWith<'identifiers' | 'users.find' | 'timeline.listMessages'>,
  tenant: Tenant,
  address: Identifier,
  { keep, ...page }: KeptPageRequest,
): Promise<{ readonly page: Page<TimelineEvent>; readonly user: User | undefined }> {
  const user = await findUserByIdentifier(ports, tenant, address);
  const subjects = [identifierHash(tenant, address), ...(user ? [user.userId] : [])];
  return { page: await ports.timeline.listMessages(subjects, page, keep), user };
}
