import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { RevokedTokens } from '../../ports/authorization.ts';
import { readNumber } from '../attributes.ts';
import { revokedTokenKey } from '../keys.ts';
import type { Table } from '../table.ts';

export function revokedTokens(table: Table): RevokedTokens {
  return {
    async revoke(jti, expiresAt) {
      await table.put({
        ...revokedTokenKey(jti),
        expires_at: expiresAt,
        purge_at: expiresAt + EXPIRED_KEPT_SECONDS,
      });
    },

    async isRevoked(jti, at) {
      const item = await table.get(revokedTokenKey(jti));
      return item !== undefined && readNumber(item, 'expires_at') > at;
    },
  };
}
