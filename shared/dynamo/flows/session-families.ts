import { ENDED_FAMILIES_MAX, EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { Sessions } from '../../ports/flows.ts';
import type { Item } from '../attributes.ts';
import { sessionKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { familyItems, rotatedToken, SESSION_IS_ACTIVE } from './session-item.ts';

// Refresh families are stored in the map `families` of their session's item. When a family is revoked, a marker under its ID
// stays for some time, so that a concurrent join cannot start the family again.

const FAMILY_ALIVE = '#families.#family.#expires_at > :at AND #families.#family.#ends_at > :at';

const CURRENT = `${SESSION_IS_ACTIVE} AND ${FAMILY_ALIVE} AND #families.#family.#current_hash = :current`;

type Rotation = Parameters<Sessions['rotate']>[2];
type Renewal = Parameters<Sessions['renew']>[2];

/** Replaces a refresh token. Rejects the token of a revoked refresh family, because such a family has no token hash. */
export function rotateToken(
  table: Table,
  sessionId: string,
  familyId: string,
  { at, nextHash, previous, unusedHash, familyExpiresAt, sessionExpiresAt }: Rotation,
): Promise<boolean> {
  const again = unusedHash !== undefined;
  return table.change(sessionKey(sessionId), {
    condition: again ? `${CURRENT} AND #families.#family.#previous.#hash = :presented` : CURRENT,
    compute: [
      '#families.#family.#current_hash = :next',
      '#families.#family.#previous = :previous',
      '#families.#family.#expires_at = :family_expires_at',
    ],
    set: { expires_at: sessionExpiresAt },
    names: { family: familyId },
    values: {
      at,
      current: unusedHash ?? previous.hash,
      presented: again ? previous.hash : undefined,
      next: nextHash,
      previous: rotatedToken.toAttributes(previous),
      family_expires_at: familyExpiresAt,
    },
    isOurs: (found) => familyItems(found)[familyId]?.current_hash === nextHash,
  });
}

export function renewToken(
  table: Table,
  sessionId: string,
  familyId: string,
  { at, presentedHash, familyExpiresAt, sessionExpiresAt }: Renewal,
): Promise<boolean> {
  return table.change(sessionKey(sessionId), {
    condition: CURRENT,
    compute: ['#families.#family.#expires_at = :family_expires_at'],
    set: { expires_at: sessionExpiresAt },
    remove: ['#families.#family.#previous'],
    names: { family: familyId },
    values: { at, current: presentedHash, family_expires_at: familyExpiresAt },
  });
}

/**
 * Returns the IDs of ended refresh families that must be deleted to keep the item small: expired families, and the oldest
 * families beyond a limit.
 */
function familiesToDelete(
  families: Readonly<Record<string, Item>>,
  ending: string,
  at: number,
): readonly string[] {
  const ended = Object.entries(families).flatMap(([id, { ended_at: endedAt }]) =>
    id !== ending && typeof endedAt === 'number' ? [{ id, endedAt }] : [],
  );
  return ended
    .sort((one, other) => other.endedAt - one.endedAt)
    .filter(({ endedAt }, index) => endedAt + EXPIRED_KEPT_SECONDS <= at || index >= ENDED_FAMILIES_MAX - 1)
    .map(({ id }) => id);
}

export async function endFamily(
  table: Table,
  sessionId: string,
  familyId: string,
  at: number,
): Promise<boolean> {
  const key = sessionKey(sessionId);
  const by = crypto.randomUUID();
  const stale = familyItems((await table.get(key)) ?? {});
  const forgotten = familiesToDelete(stale, familyId, at);

  const mark = (condition: string): Promise<boolean> =>
    table.change(key, {
      condition: `${SESSION_IS_ACTIVE} AND ${condition}`,
      compute: ['#families.#family = :mark'],
      remove: forgotten.map((_, i) => `#families.#forgotten${i}`),
      names: {
        family: familyId,
        ...Object.fromEntries(forgotten.map((id, i) => [`forgotten${i}`, id])),
      },
      values: { at, mark: { ended_at: at, ended_by: by } },
      isOurs: (found) => familyItems(found)[familyId]?.ended_by === by,
    });
  const endLiving = () => mark(FAMILY_ALIVE);

  if (await endLiving()) return true;
  if (await mark('attribute_not_exists(#families.#family)')) return false;
  // A concurrent request started the family between the two writes, so it must be ended again.
  return endLiving();
}
