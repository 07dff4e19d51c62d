import { ServiceError } from '../../errors/service-error.ts';
import type { Identifier, IdentifierReservation, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { ORPHANED_RESERVATION_SECONDS, RESERVATION_FILL_SECONDS } from '../basis/limits.ts';
import { preciseNow } from '../basis/time.ts';
import { hasIdentifier, listExternalIdentifiers } from './identifier.ts';

export type ReservationPorts = PortsWith<
  | 'userRecords.find'
  | 'identifierReservations.reserve'
  | 'identifierReservations.takeOver'
  | 'identifierReservations.release'
>;

/**
 * Identifier reservations of one attempt to store a user. They become permanent when the user is stored; otherwise they are
 * released.
 */
export interface HeldReservations {
  /** Identifiers that this attempt has newly reserved. The user may have reserved further identifiers before. */
  readonly made: readonly Identifier[];
  readonly at: number;
}

/**
 * Returns true if the user who reserved an identifier does not have it: after a crash, or while the user is still being stored.
 */
async function isOrphaned(
  ports: PortsWith<'userRecords.find'>,
  tenantId: string,
  identifier: Identifier,
  reservation: IdentifierReservation,
): Promise<boolean> {
  const owner = await ports.userRecords.find(reservation.userId);
  return !owner || owner.tenantId !== tenantId || !hasIdentifier(owner, identifier);
}

async function reserveOne(
  ports: PortsWith<'userRecords.find' | 'identifierReservations.reserve' | 'identifierReservations.takeOver'>,
  tenantId: string,
  identifier: Identifier,
  wanted: IdentifierReservation,
): Promise<'new' | 'own' | 'taken'> {
  const { userId, reservedAt } = wanted;
  const outcome = await ports.identifierReservations.reserve(tenantId, identifier, userId, reservedAt);
  if (typeof outcome === 'string') return outcome;
  const isOld = reservedAt - outcome.reservedAt >= ORPHANED_RESERVATION_SECONDS;
  if (!isOld || !(await isOrphaned(ports, tenantId, identifier, outcome))) return 'taken';
  const won = await ports.identifierReservations.takeOver(tenantId, identifier, outcome, wanted);
  return won ? 'new' : 'taken';
}

/** Releases the identifiers that the user has reserved at `reservedUpTo` (epoch seconds with a fractional part) or earlier. */
export async function releaseIdentifiers(
  ports: PortsWith<'identifierReservations.release'>,
  { tenantId, userId }: Pick<User, 'tenantId' | 'userId'>,
  identifiers: readonly Identifier[],
  reservedUpTo: number,
): Promise<void> {
  await Promise.all(
    identifiers.map((identifier) =>
      ports.identifierReservations.release(tenantId, identifier, userId, reservedUpTo),
    ),
  );
}

export function releaseReservations(
  ports: PortsWith<'identifierReservations.release'>,
  tenantId: string,
  userId: string,
  reservations: HeldReservations,
): Promise<void> {
  return releaseIdentifiers(ports, { tenantId, userId }, reservations.made, reservations.at);
}

const inOrder = (one: Identifier, other: Identifier) =>
  one.type < other.type || (one.type === other.type && one.value < other.value) ? -1 : 1;

/**
 * Reserves all identifiers for a user, or none. Identifiers are reserved one after the other and in the same order for all
 * users. If two users compete for the same identifiers, one of the users therefore gets all. Errors: `identifier_taken`.
 */
export async function reserveIdentifiers(
  ports: ReservationPorts,
  tenantId: string,
  userId: string,
  identifiers: readonly Identifier[],
): Promise<HeldReservations> {
  const at = preciseNow();
  const made: Identifier[] = [];
  try {
    for (const identifier of identifiers.toSorted(inOrder)) {
      const outcome = await reserveOne(ports, tenantId, identifier, { userId, reservedAt: at });
      if (outcome === 'taken')
        throw new ServiceError('identifier_taken', {
          message: `${identifier.type}: belongs to another user`,
        });
      if (outcome === 'new') made.push(identifier);
    }
    return { made, at };
  } catch (error) {
    await releaseReservations(ports, tenantId, userId, { made, at });
    throw error;
  }
}

/**
 * Reserves a user's external IDs for lookups. Skips IDs that another user has reserved, and IDs that are already in `reserved`.
 */
export async function reserveExternalIds(
  ports: PortsWith<'userRecords.find' | 'identifierReservations.reserve' | 'identifierReservations.takeOver'>,
  user: Pick<User, 'tenantId' | 'userId' | 'externalIds'>,
  reserved: readonly Identifier[] = [],
): Promise<void> {
  const { tenantId, userId } = user;
  const isReserved = ({ type, value }: Identifier) =>
    reserved.some((each) => each.type === type && each.value === value);
  for (const identifier of listExternalIdentifiers(user).filter((each) => !isReserved(each)))
    await reserveOne(ports, tenantId, identifier, { userId, reservedAt: preciseNow() });
}

/**
 * Rejects identifier reservations that another user may have taken over while this process was paused. Must be called right
 * before the user is written. Errors: `service_unavailable`.
 */
export async function requireFreshReservations(
  ports: PortsWith<'identifierReservations.release'>,
  tenantId: string,
  userId: string,
  reservations: HeldReservations,
): Promise<void> {
  if (preciseNow() - reservations.at < RESERVATION_FILL_SECONDS) return;
  await releaseReservations(ports, tenantId, userId, reservations);
  throw new ServiceError('service_unavailable');
}
