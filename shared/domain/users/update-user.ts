import type { AuditEvent } from '../../ports/audit.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Address, Identifier, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { UserFields } from '../../schemas/users.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { nowSeconds, preciseNow } from '../basis/time.ts';
import { rememberFormerAddresses } from '../identifiers/former-addresses.ts';
import { rememberFormer } from '../identifiers/former-identifiers.ts';
import { externalIdentifier, identifiersOf } from '../identifiers/identifier.ts';
import {
  type ReservationPorts,
  releaseIdentifiers,
  releaseReservations,
  requireTimely,
  reserveExternalId,
  reserveIdentifiers,
} from '../identifiers/identifier-reservations.ts';
import { changeUser } from './change-user.ts';
import { requireReserved } from './test-user.ts';
import { userWithFields } from './user-record.ts';

/** What a change of identifiers takes. */
export type ReplacePorts = ReservationPorts & Using<'userRecords.replace'>;

function without(identifiers: readonly Identifier[], others: readonly Identifier[]): readonly Identifier[] {
  return identifiers.filter(
    ({ type, value }) => !others.some((other) => other.type === type && other.value === value),
  );
}

/** What it takes to give identifiers up. */
type GiveUpPorts = Using<'userRecords.replace' | 'identifierReservations.release'>;

/**
 * One attempt to write a user whose identifiers are all reserved: replace the user that was read, give up what was dropped
 * and reserved by `startedAt` (epoch seconds). Undefined when another writer came between.
 */
export async function replaceAndGiveUp(
  ports: GiveUpPorts,
  tenant: Tenant,
  user: User,
  wanted: User,
  startedAt = preciseNow(),
): Promise<User | undefined> {
  const { formerIdentifiers: _, formerAddresses: __, ...changed } = requireReserved(wanted);
  const givenUp = without(identifiersOf(user), identifiersOf(changed));
  const next: User = {
    ...changed,
    ...rememberFormer(tenant, user, givenUp, nowSeconds()),
    ...rememberFormerAddresses(user, wanted, wanted.updatedAt),
  };
  if (!(await ports.userRecords.replace(user, next))) return undefined;
  const { externalUserId } = user;
  const former =
    externalUserId === undefined || externalUserId === wanted.externalUserId
      ? []
      : [externalIdentifier(externalUserId)];
  await releaseIdentifiers(ports, user.tenantId, user.userId, [...givenUp, ...former], startedAt);
  return next;
}

/**
 * One attempt: reserve what is new, replace the user that was read, give up what was dropped. Undefined when another
 * writer came between. `beforeWrite` runs when nothing stands in the way. Errors: `identifier_taken`.
 */
export async function replaceUser(
  ports: ReplacePorts,
  tenant: Tenant,
  user: User,
  wanted: User,
  beforeWrite: () => Promise<unknown> = async () => undefined,
): Promise<User | undefined> {
  const { tenantId, userId } = user;
  const startedAt = preciseNow();
  const added = without(identifiersOf(wanted), identifiersOf(user));
  const reservations = await reserveIdentifiers(ports, tenantId, userId, added);
  if (wanted.externalUserId !== user.externalUserId) await reserveExternalId(ports, wanted);
  await beforeWrite();
  await requireTimely(ports, tenantId, userId, reservations);
  const next = await replaceAndGiveUp(ports, tenant, user, wanted, startedAt);
  // Another change may be about to fill the reservations of a living user; none can fill those of an erased one.
  if (!next && !(await ports.userRecords.find(userId)))
    await releaseReservations(ports, tenantId, userId, reservations);
  return next;
}

/** Changes that the user or an operator should hear of. */
export function changesOf(before: User, after: User): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  if (before.email?.value !== after.email?.value)
    events.push(before.email ? 'user.email_changed' : 'user.email_added');
  if (before.phoneNumber?.value !== after.phoneNumber?.value)
    events.push(before.phoneNumber ? 'user.phone_changed' : 'user.phone_added');
  if (before.status !== 'Disabled' && after.status === 'Disabled') events.push('user.suspended');
  return events;
}

/** Who reads the former mailbox, or has the former telephone, may hold a session (ASVS 7.4.3). */
function givesUpAddress(before: User, after: User): boolean {
  const givenUp = without(identifiersOf(before), identifiersOf(after));
  return givenUp.some(({ type }) => type === 'email' || type === 'phone_number');
}

function withMarks(user: User, { secondAt, provenAt }: Pick<Address, 'provenAt' | 'secondAt'>): User {
  const { phoneNumber } = user;
  const marks = omitUndefined<Pick<Address, 'provenAt' | 'secondAt'>>({ secondAt, provenAt });
  return phoneNumber ? { ...user, phoneNumber: { ...phoneNumber, ...marks } } : user;
}

/**
 * Changes the fields that are given. Concurrent changes of one user take turns. Disabling a user ends their sessions. So
 * does another address or number, unless `end_sessions` is false; the session of the change itself, where there is one, lives.
 * `own` has the marks of a new number. `check` may refuse the change, `onChange` hears of it; both get the user before and after. A crash after the write orphans
 * the reservations of dropped identifiers; other users can replace those.
 * Errors: `user_not_found`, `system_invalid_input`, `identifier_taken`, `concurrent_change`.
 */
export async function updateUser(
  ports: ReplacePorts & Using<'sessions.endAllOf'>,
  tenant: Tenant,
  userId: string,
  fields: UserFields,
  at: number,
  onChange: (before: User, after: User) => void = () => {},
  check: (before: User, after: User) => void = () => {},
  own: Pick<Address, 'provenAt' | 'secondAt'> & { readonly ownSessionId?: string | undefined } = {},
): Promise<User> {
  let before: User | undefined;
  let endsSessions = false;
  // Before the write, because a call that is repeated after a failure changes nothing more; after it for what began between.
  const endSessions = () => ports.sessions.endAllOf(userId, at, own.ownSessionId);
  const user = await changeUser(ports, tenant, userId, (current) => {
    before = current;
    const wanted = withMarks(userWithFields(current, fields, at), own);
    check(current, wanted);
    endsSessions = fields.end_sessions !== false && givesUpAddress(current, wanted);
    return replaceUser(ports, tenant, current, wanted, endsSessions ? endSessions : undefined);
  });
  if (before) onChange(before, user);
  if (user.status === 'Disabled') await ports.sessions.endAllOf(userId, at);
  else if (endsSessions) await endSessions();
  return user;
}
