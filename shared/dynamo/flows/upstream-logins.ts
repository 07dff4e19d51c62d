import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { UpstreamLogin, UpstreamLogins } from '../../ports/authorization.ts';
import { number, omitUndefined, oneOf, optionalNumber, optionalText, text } from '../attributes.ts';
import { upstreamLoginKey } from '../keys.ts';
import type { Item, Table } from '../table.ts';

const OPEN = 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at';

function toLogin(item: Item): UpstreamLogin {
  return omitUndefined({
    hash: text(item, 'hash'),
    provider: oneOf(item, 'provider', ['google', 'apple', 'facebook', 'line']),
    tenantId: text(item, 'tenant_id'),
    applicationId: text(item, 'application_id'),
    clientId: text(item, 'client_id'),
    browserHash: text(item, 'browser_hash'),
    request: text(item, 'request'),
    answer: optionalText(item, 'answer'),
    expiresAt: number(item, 'expires_at'),
    consumedAt: optionalNumber(item, 'consumed_at'),
  });
}

/** One item a way to a provider, filed under the hash of its state. */
export function upstreamLogins(table: Table): UpstreamLogins {
  return {
    async put(login) {
      // Refused only for a repetition of this very write: what is consumed must not live again.
      await table.put(
        {
          ...upstreamLoginKey(login.hash),
          hash: login.hash,
          provider: login.provider,
          tenant_id: login.tenantId,
          application_id: login.applicationId,
          client_id: login.clientId,
          browser_hash: login.browserHash,
          request: login.request,
          expires_at: login.expiresAt,
          purge_at: login.expiresAt + EXPIRED_KEPT_SECONDS,
        },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async find(hash) {
      const item = await table.get(upstreamLoginKey(hash));
      return item && toLogin(item);
    },

    async keepAnswer(hash, answer, at) {
      const by = crypto.randomUUID();
      const item = await table.update(upstreamLoginKey(hash), {
        condition: `${OPEN} AND attribute_not_exists(#answer)`,
        set: { answer, answered_by: by },
        values: { at },
        ours: (found) => found.answered_by === by,
      });
      return item !== undefined;
    },

    async consume(hash, at) {
      const by = crypto.randomUUID();
      const item = await table.update(upstreamLoginKey(hash), {
        condition: OPEN,
        set: { consumed_at: at, consumed_by: by },
        values: { at },
        ours: (found) => found.consumed_by === by,
      });
      return item !== undefined;
    },
  };
}
