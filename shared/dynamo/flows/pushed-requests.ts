import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { PushedRequest, PushedRequests } from '../../ports/authorization.ts';
import { number, text } from '../attributes.ts';
import { pushedRequestKey } from '../keys.ts';
import type { Item, Table } from '../table.ts';

function toPushedRequest(item: Item): PushedRequest {
  return {
    hash: text(item, 'hash'),
    clientId: text(item, 'client_id'),
    parameters: text(item, 'parameters'),
    expiresAt: number(item, 'expires_at'),
  };
}

/** One item a request, filed under the hash of its URI's secret. */
export function pushedRequests(table: Table): PushedRequests {
  return {
    async put(request) {
      // Refused only for a repetition of this very write: a spent request must not become anybody's again.
      await table.put(
        {
          ...pushedRequestKey(request.hash),
          hash: request.hash,
          client_id: request.clientId,
          parameters: request.parameters,
          expires_at: request.expiresAt,
          purge_at: request.expiresAt + EXPIRED_KEPT_SECONDS,
        },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async spend(hash, browserHash, at) {
      const item = await table.update(pushedRequestKey(hash), {
        condition: [
          'attribute_exists(#pk) AND #expires_at > :at',
          '(attribute_not_exists(#browser_hash) OR #browser_hash = :browser)',
        ].join(' AND '),
        compute: ['#browser_hash = :browser'],
        values: { at, browser: browserHash },
      });
      return item && toPushedRequest(item);
    },
  };
}
