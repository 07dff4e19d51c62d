import { LIST_LIMIT_MAX } from '../../domain/basis/limits.ts';
import type { Identifier, IdentifierClaim, IdentifierClaims, Identifiers } from '../../ports/people.ts';
import { readNumber, readText } from '../attributes.ts';
import { identifierKey, listPartitions } from '../keys.ts';
import type { Attempt, Item, Table } from '../table.ts';
import { unavailable } from '../unavailable.ts';

const itemKey = (tenantId: string, { type, value }: Identifier) => identifierKey(tenantId, type, value);

export function identifiers(table: Table): Identifiers {
  return {
    async find(tenantId, identifier) {
      const item = await table.get(itemKey(tenantId, identifier));
      return item && readText(item, 'user_id');
    },
  };
}

function toClaim(item: Item): IdentifierClaim {
  return { userId: readText(item, 'user_id'), claimedAt: readNumber(item, 'claimed_at') };
}

/** The claim may be released between two steps as often as others please; nobody does so four times. */
const CLAIM_ROUNDS = 4;

export function identifierClaims(table: Table): IdentifierClaims {
  /** Writes the claim under a condition, and knows it again when the SDK wrote twice. */
  function write(
    tenantId: string,
    identifier: Identifier,
    claim: IdentifierClaim,
    condition: string,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<Attempt> {
    const by = crypto.randomUUID();
    const item = {
      ...itemKey(tenantId, identifier),
      tenant_id: tenantId,
      user_id: claim.userId,
      claimed_at: claim.claimedAt,
      claimed_by: by,
      list_pk: listPartitions.claims(claim.userId),
      list_sk: identifier.type,
    };
    return table.tryPut(item, { condition, values, ours: (found) => found.claimed_by === by });
  }

  return {
    async claim(tenantId, identifier, userId, at) {
      const claim = { userId, claimedAt: at };
      for (let round = 0; round < CLAIM_ROUNDS; round += 1) {
        const attempt = await write(tenantId, identifier, claim, 'attribute_not_exists(#pk)');
        if (attempt.done) return 'new';
        const standing = attempt.standing && toClaim(attempt.standing);
        if (standing !== undefined && standing.userId !== userId) return standing;
        if (standing !== undefined && standing.claimedAt >= at) return 'own';
        const renewed = await write(
          tenantId,
          identifier,
          claim,
          '#user_id = :user_id AND #claimed_at < :at',
          {
            user_id: userId,
            at,
          },
        );
        if (renewed.done) return 'own';
      }
      throw unavailable();
    },

    async takeOver(tenantId, identifier, seen, userId, at) {
      const condition = '#user_id = :user_id AND #claimed_at = :claimed_at';
      const taking = await write(tenantId, identifier, { userId, claimedAt: at }, condition, {
        user_id: seen.userId,
        claimed_at: seen.claimedAt,
      });
      return taking.done;
    },

    async release(tenantId, identifier, userId, claimedUpTo) {
      await table.remove(itemKey(tenantId, identifier), {
        condition: '#user_id = :user_id AND #claimed_at <= :up_to',
        values: { user_id: userId, up_to: claimedUpTo },
      });
    },

    async releaseAllOf(userId) {
      let cursor: string | undefined;
      do {
        const page = await table.queryIndex(listPartitions.claims(userId), {
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
