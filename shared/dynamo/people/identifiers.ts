import { LIST_LIMIT_MAX } from '../../domain/basis/limits.ts';
import type {
  Identifier,
  IdentifierReservation,
  IdentifierReservations,
  Identifiers,
} from '../../ports/people.ts';
import type { Item } from '../attributes.ts';
import { readNumber, readText } from '../attributes.ts';
import { identifierKey, listPartitions } from '../keys.ts';
import type { Table, WriteOutcome } from '../table.ts';
import { unavailable } from '../unavailable.ts';
import { isSearchableType, toIndexAttributes } from './by-beginning.ts';

const itemKey = (tenantId: string, { type, value }: Identifier) => identifierKey(tenantId, type, value);

export function identifiers(table: Table): Identifiers {
  return {
    async find(tenantId, identifier) {
      const item = await table.get(itemKey(tenantId, identifier));
      return item && readText(item, 'user_id');
    },
  };
}

function toReservation(item: Item): IdentifierReservation {
  return { userId: readText(item, 'user_id'), reservedAt: readNumber(item, 'claimed_at') };
}

/** Maximum number of attempts to reserve an identifier. An attempt fails if the reservation changes between read and write. */
const RESERVE_ROUNDS = 4;

export function identifierReservations(table: Table): IdentifierReservations {
  /** Writes a reservation if the condition holds. Also succeeds if the SDK repeats a write that has already succeeded. */
  function write(
    tenantId: string,
    identifier: Identifier,
    reservation: IdentifierReservation,
    guard: { readonly condition: string; readonly values?: Readonly<Record<string, unknown>> },
  ): Promise<WriteOutcome> {
    const item = {
      ...itemKey(tenantId, identifier),
      tenant_id: tenantId,
      user_id: reservation.userId,
      claimed_at: reservation.reservedAt,
      list_pk: listPartitions.reservations(reservation.userId),
      list_sk: identifier.type,
      ...(isSearchableType(identifier.type) &&
        toIndexAttributes({ tenantId, userId: reservation.userId }, identifier.value)),
    };
    return table.tryPut(item, { ...guard, tokenAttribute: 'claimed_by' });
  }

  return {
    async reserve(tenantId, identifier, userId, at) {
      const reservation = { userId, reservedAt: at };
      for (let round = 0; round < RESERVE_ROUNDS; round += 1) {
        const attempt = await write(tenantId, identifier, reservation, {
          condition: 'attribute_not_exists(#pk)',
        });
        if (attempt.done) return 'new';
        const existing = attempt.existing && toReservation(attempt.existing);
        if (existing !== undefined && existing.userId !== userId) return existing;
        if (existing !== undefined && existing.reservedAt >= at) return 'own';
        const renewed = await write(tenantId, identifier, reservation, {
          condition: '#user_id = :user_id AND #claimed_at < :at',
          values: { user_id: userId, at },
        });
        if (renewed.done) return 'own';
      }
      throw unavailable();
    },

    async takeOver(tenantId, identifier, seen, next) {
      const taking = await write(tenantId, identifier, next, {
        condition: '#user_id = :user_id AND #claimed_at = :claimed_at',
        values: { user_id: seen.userId, claimed_at: seen.reservedAt },
      });
      return taking.done;
    },

    async release(tenantId, identifier, userId, reservedUpTo) {
      await table.remove(itemKey(tenantId, identifier), {
        condition: '#user_id = :user_id AND #claimed_at <= :up_to',
        values: { user_id: userId, up_to: reservedUpTo },
      });
    },

    async releaseAllOf(userId) {
      let cursor: string | undefined;
      do {
        const page = await table.queryKeys(listPartitions.reservations(userId), {
          limit: LIST_LIMIT_MAX,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const item of page.items)
          await table.remove(
            { pk: readText(item, 'pk'), sk: readText(item, 'sk') },
            { condition: '#user_id = :user_id', values: { user_id: userId } },
          );
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
  };
}
