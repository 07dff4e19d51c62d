import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import { hashSecret } from '../../domain/basis/random.ts';
import type { ReplayGuard } from '../../ports/authorization.ts';
import { replayKey } from '../keys.ts';
import type { Table } from '../table.ts';

/** Hashes a single-use value with its scope, so that the key has a fixed length. JSON keeps scope and value distinct. */
const hashName = (scope: string, id: string): string => hashSecret(JSON.stringify([scope, id]));

export function replayGuard(table: Table): ReplayGuard {
  return {
    spend(scope, id, expiresAt, at) {
      return table.put(
        {
          ...replayKey(hashName(scope, id)),
          expires_at: expiresAt,
          purge_at: expiresAt + EXPIRED_KEPT_SECONDS,
        },
        {
          condition: 'attribute_not_exists(#pk) OR #expires_at <= :at',
          values: { at },
          tokenAttribute: 'claimed_by',
        },
      );
    },
  };
}
