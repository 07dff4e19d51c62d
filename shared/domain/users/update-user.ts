import type { AuditEvent } from '../../ports/audit.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { CredentialChange, Identifier, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { addressTypes, isAddressType } from '../../records/channels.ts';
import { FORMER_EMAILS_MAX } from '../basis/limits.ts';
import { nowSeconds, preciseNow } from '../basis/time.ts';
import { rememberFormerIdentifiers } from '../identifiers/former-identifiers.ts';
import { listExternalIdentifiers, listIdentifiers } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import {
  type ReservationPorts,
  releaseIdentifiers,
  releaseReservations,
  requireFreshReservations,
  reserveExternalIds,
  reserveIdentifiers,
} from '../identifiers/identifier-reservations.ts';
import { listAddresses } from '../identifiers/stored-address.ts';
import { type OperatorChange, recordAddressChanges } from '../trust/changes.ts';
import { supersedesAccount } from '../trust/generations.ts';
import { changeUser } from './change-user.ts';
import { requireTestDataOnly } from './test-user.ts';

/** Ports for changing the identifiers of a user. */
export type ReplacePorts = ReservationPorts & PortsWith<'userRecords.replace'>;

function without(identifiers: readonly Identifier[], others: readonly Identifier[]): readonly Identifier[] {
  return identifiers.filter(
    ({ type, value }) => !others.some((other) => other.type === type && other.value === value),
  );
}

/**
 * Returns the hashes of the user's former email addresses. A backend with its own user IDs may keep sending these addresses.
 */
function formerEmails(tenant: Tenant, user: User, givenUp: readonly Identifier[]): readonly string[] {
  const { email } = user;
  const left = email?.standing === 'claimed' ? [] : givenUp.filter(({ type }) => type === 'email');
  const hashes = left.map((identifier) => identifierHash(tenant, identifier));
  return [...new Set([...user.formerEmails, ...hashes])].slice(-FORMER_EMAILS_MAX);
}

/** User record as it was read, and the record that is to replace it. */
interface Replacement {
  readonly user: User;
  readonly wanted: User;
}

/** Ports for releasing identifiers of a user. */
type GiveUpPorts = PortsWith<'userRecords.replace' | 'identifierReservations.release'>;

/**
 * Attempts once to replace a user whose new identifiers are all reserved. Releases removed identifiers that were reserved by
 * `startedAt` (epoch seconds). Returns undefined after a concurrent write.
 */
export async function replaceAndRelease(
  ports: GiveUpPorts,
  tenant: Tenant,
  { user, wanted, startedAt = preciseNow() }: Replacement & { readonly startedAt?: number },
): Promise<User | undefined> {
  const { formerIdentifiers: _, ...changed } = requireTestDataOnly(wanted);
  const givenUp = without(listIdentifiers(user), listIdentifiers(changed));
  const next: User = {
    ...changed,
    ...rememberFormerIdentifiers(tenant, user, givenUp, nowSeconds()),
    formerEmails: formerEmails(tenant, user, givenUp),
  };
  if (!(await ports.userRecords.replace(user, next))) return undefined;
  const former = without(listExternalIdentifiers(user), listExternalIdentifiers(wanted));
  await releaseIdentifiers(ports, user, [...givenUp, ...former], startedAt);
  return next;
}

/**
 * Attempts once to replace a user: reserves new identifiers, writes the record and releases removed identifiers. Returns
 * undefined after a concurrent write. `beforeWrite` runs once all reservations have succeeded. Errors: `identifier_taken`.
 */
export async function replaceUser(
  ports: ReplacePorts,
  tenant: Tenant,
  {
    user,
    wanted,
    beforeWrite,
  }: Replacement & { readonly beforeWrite?: (() => Promise<unknown>) | undefined },
): Promise<User | undefined> {
  const { tenantId, userId } = user;
  const startedAt = preciseNow();
  const added = without(listIdentifiers(wanted), listIdentifiers(user));
  const reservations = await reserveIdentifiers(ports, tenantId, userId, added);
  const externalIds = wanted.externalIds.filter((each) => !user.externalIds.includes(each));
  await reserveExternalIds(ports, { tenantId, userId, externalIds });
  await beforeWrite?.();
  await requireFreshReservations(ports, tenantId, userId, reservations);
  const next = await replaceAndRelease(ports, tenant, { user, wanted, startedAt });
  // Another change may be about to complete the reservations of an existing user. This cannot happen for an erased user.
  if (!next && !(await ports.userRecords.find(userId)))
    await releaseReservations(ports, tenantId, userId, reservations);
  return next;
}

/** Lists the audit events about which the user or an operator must be notified after a change. */
export function listChangeEvents(before: User, after: User): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (const { attribute, item } of Object.values(addressTypes))
    if (before[attribute]?.value !== after[attribute]?.value)
      events.push(before[attribute] ? `user.${item}_changed` : `user.${item}_added`);
  if (before.status !== 'Disabled' && after.status === 'Disabled') events.push('user.suspended');
  return events;
}

/** Lists the changed addresses whose first proof supersedes all earlier credentials, by their field names in requests. */
export function listSupersedingFields(before: User, after: User): readonly string[] {
  return listAddresses(after)
    .filter(
      ({ attribute, address }) =>
        address.value !== before[attribute]?.value && supersedesAccount(after, address),
    )
    .map(({ type }) => type);
}

/**
 * Returns true if a change removes an address. A person who reads the removed mailbox or phone may have a session (ASVS 7.4.3).
 */
function removesAddress(before: User, after: User): boolean {
  const givenUp = without(listIdentifiers(before), listIdentifiers(after));
  return givenUp.some(({ type }) => isAddressType(type));
}

/** Change of a user with its checks and side effects, as `updateUser` applies it. */
export interface UserChange {
  /** Returns a copy of the user with the change applied. */
  readonly apply: (user: User) => User;
  readonly undoCondition: CredentialChange['undoCondition'] | OperatorChange;
  /** True (the default) if replacing or removing an address ends the user's sessions. */
  readonly endsSessions?: boolean;
  /** ID of the session that made the change. It stays active when the change to an address ends all other sessions. */
  readonly ownSessionId?: string | undefined;
  /** Check that may reject the change by throwing an error. */
  readonly check?: (before: User, after: User) => void | Promise<void>;
  readonly onChange?: (before: User, after: User) => void;
}

/**
 * Changes a user at `at` (epoch seconds). Concurrent changes to one user run one after the other. Disabling a user ends their
 * sessions. If a crash after the write leaves reservations of removed identifiers, other users can replace them. Errors:
 * `user_not_found`, `system_invalid_input`, `identifier_taken`, `concurrent_change`.
 */
export async function updateUser(
  ports: ReplacePorts & PortsWith<'sessions.endAllOf'>,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  { apply, undoCondition, endsSessions = true, ownSessionId, check, onChange }: UserChange,
  at: number,
): Promise<User> {
  let before: User | undefined;
  let mustEndSessions: boolean | undefined;
  // This function is called before the write, because a retry after a failure finds nothing to change and would not end
  // sessions. It is called again after the write, for sessions that started in between.
  const endSessions = () => ports.sessions.endAllOf(userId, at, ownSessionId);
  const user = await changeUser(ports, { tenantId: tenant.tenantId, userId }, async (current) => {
    before = current;
    const wanted = recordAddressChanges(current, apply(current), undoCondition, at);
    await check?.(current, wanted);
    mustEndSessions = endsSessions && removesAddress(current, wanted);
    return replaceUser(ports, tenant, {
      user: current,
      wanted,
      beforeWrite: mustEndSessions ? endSessions : undefined,
    });
  });
  if (before) onChange?.(before, user);
  if (user.status === 'Disabled') await ports.sessions.endAllOf(userId, at);
  else if (mustEndSessions) await endSessions();
  return user;
}
