import type { AuditEvent } from '../../ports/audit.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Change, Identifier, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { addressTypes, isAddressType } from '../../records/channels.ts';
import { FORMER_EMAILS_MAX } from '../basis/limits.ts';
import { nowSeconds, preciseNow } from '../basis/time.ts';
import { rememberFormer } from '../identifiers/former-identifiers.ts';
import { externalIdentifiersOf, identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import {
  type ReservationPorts,
  releaseIdentifiers,
  releaseReservations,
  requireTimely,
  reserveExternalIds,
  reserveIdentifiers,
} from '../identifiers/identifier-reservations.ts';
import { addressesOf } from '../identifiers/stored-address.ts';
import { type ByOperator, withChanges } from '../trust/changes.ts';
import { supersedesAccount } from '../trust/generations.ts';
import { changeUser } from './change-user.ts';
import { requireReserved } from './test-user.ts';

/** What a change of identifiers takes. */
export type ReplacePorts = ReservationPorts & Using<'userRecords.replace'>;

function without(identifiers: readonly Identifier[], others: readonly Identifier[]): readonly Identifier[] {
  return identifiers.filter(
    ({ type, value }) => !others.some((other) => other.type === type && other.value === value),
  );
}

/** A backend that knows the user by an ID of its own may go on sending an address that they have given up. */
function formerEmails(tenant: Tenant, user: User, givenUp: readonly Identifier[]): readonly string[] {
  const { email } = user;
  const left = email?.standing === 'claimed' ? [] : givenUp.filter(({ type }) => type === 'email');
  const hashes = left.map((identifier) => identifierHash(tenant, identifier));
  return [...new Set([...user.formerEmails, ...hashes])].slice(-FORMER_EMAILS_MAX);
}

/** The user that was read, and what is to take its place. */
interface Replacing {
  readonly user: User;
  readonly wanted: User;
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
  { user, wanted, startedAt = preciseNow() }: Replacing & { readonly startedAt?: number },
): Promise<User | undefined> {
  const { formerIdentifiers: _, ...changed } = requireReserved(wanted);
  const givenUp = without(identifiersOf(user), identifiersOf(changed));
  const next: User = {
    ...changed,
    ...rememberFormer(tenant, user, givenUp, nowSeconds()),
    formerEmails: formerEmails(tenant, user, givenUp),
  };
  if (!(await ports.userRecords.replace(user, next))) return undefined;
  const former = without(externalIdentifiersOf(user), externalIdentifiersOf(wanted));
  await releaseIdentifiers(ports, user, [...givenUp, ...former], startedAt);
  return next;
}

/**
 * One attempt: reserve what is new, replace the user that was read, give up what was dropped. Undefined when another
 * writer came between. `beforeWrite` runs when nothing stands in the way. Errors: `identifier_taken`.
 */
export async function replaceUser(
  ports: ReplacePorts,
  tenant: Tenant,
  { user, wanted, beforeWrite }: Replacing & { readonly beforeWrite?: (() => Promise<unknown>) | undefined },
): Promise<User | undefined> {
  const { tenantId, userId } = user;
  const startedAt = preciseNow();
  const added = without(identifiersOf(wanted), identifiersOf(user));
  const reservations = await reserveIdentifiers(ports, tenantId, userId, added);
  const externalIds = wanted.externalIds.filter((each) => !user.externalIds.includes(each));
  await reserveExternalIds(ports, { tenantId, userId, externalIds });
  await beforeWrite?.();
  await requireTimely(ports, tenantId, userId, reservations);
  const next = await replaceAndGiveUp(ports, tenant, { user, wanted, startedAt });
  // Another change may be about to fill the reservations of a living user; none can fill those of an erased one.
  if (!next && !(await ports.userRecords.find(userId)))
    await releaseReservations(ports, tenantId, userId, reservations);
  return next;
}

/** Changes that the user or an operator should hear of. */
export function changesOf(before: User, after: User): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (const { attribute, item } of Object.values(addressTypes))
    if (before[attribute]?.value !== after[attribute]?.value)
      events.push(before[attribute] ? `user.${item}_changed` : `user.${item}_added`);
  if (before.status !== 'Disabled' && after.status === 'Disabled') events.push('user.suspended');
  return events;
}

/** The addresses that a change has set and whose first proof supersedes what the user had before, as requests name them. */
export function takingAddresses(before: User, after: User): readonly string[] {
  return addressesOf(after)
    .filter(
      ({ attribute, address }) =>
        address.value !== before[attribute]?.value && supersedesAccount(after, address),
    )
    .map(({ type }) => type);
}

/** Who reads the former mailbox, or has the former telephone, may hold a session (ASVS 7.4.3). */
function givesUpAddress(before: User, after: User): boolean {
  const givenUp = without(identifiersOf(before), identifiersOf(after));
  return givenUp.some(({ type }) => isAddressType(type));
}

/** A change of a user, and who hears of it. */
export interface Changing {
  /** The user with the change. */
  readonly apply: (user: User) => User;
  readonly undoneBy: Change['undoneBy'] | ByOperator;
  /** Another address or number, or none, ends the sessions of the user: unless this is false. */
  readonly endsSessions?: boolean;
  /** The session of the change lives, where other addresses end all. */
  readonly ownSessionId?: string | undefined;
  /** May refuse the change. */
  readonly check?: (before: User, after: User) => void | Promise<void>;
  readonly onChange?: (before: User, after: User) => void;
}

/**
 * Changes a user, at `at` (epoch seconds). Concurrent changes of one user take turns. Disabling a user ends their sessions. A crash
 * after the write orphans the reservations of dropped identifiers; other users can replace those.
 * Errors: `user_not_found`, `system_invalid_input`, `identifier_taken`, `concurrent_change`.
 */
export async function updateUser(
  ports: ReplacePorts & Using<'sessions.endAllOf'>,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  { apply, undoneBy, endsSessions = true, ownSessionId, check, onChange }: Changing,
  at: number,
): Promise<User> {
  let before: User | undefined;
  let hasEnded = false;
  // Before the write, because a call that is repeated after a failure changes nothing more; after it for what began between.
  const endSessions = () => ports.sessions.endAllOf(userId, at, ownSessionId);
  const user = await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    before = current;
    const wanted = withChanges(current, apply(current), undoneBy, at);
    await check?.(current, wanted);
    hasEnded = endsSessions && givesUpAddress(current, wanted);
    return replaceUser(ports, tenant, {
      user: current,
      wanted,
      beforeWrite: hasEnded ? endSessions : undefined,
    });
  });
  if (before) onChange?.(before, user);
  if (user.status === 'Disabled') await ports.sessions.endAllOf(userId, at);
  else if (hasEnded) await endSessions();
  return user;
}
