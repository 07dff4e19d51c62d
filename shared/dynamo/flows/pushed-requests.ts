import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { PushedRequest, PushedRequests } from '../../ports/authorization.ts';
import { codec, number, text } from '../codec.ts';
import { pushedRequestKey } from '../keys.ts';
import type { Table } from '../table.ts';

const pushedRequestItem = codec<PushedRequest>({
  hash: text('hash'),
  clientId: text('client_id'),
  parameters: text('parameters'),
  expiresAt: number('expires_at'),
});

/** Creates the store of pushed authorization requests. Each is one item, keyed by the hash of its `request_uri` secret. */
export function pushedRequests(table: Table): PushedRequests {
  return {
    async put(request) {
      // The condition fails only if the SDK repeats this write. A request that was used in the meantime must not become usable
      // again.
      await table.put(
        {
          ...pushedRequestKey(request.hash),
          ...pushedRequestItem.toAttributes(request),
          purge_at: request.expiresAt + EXPIRED_KEPT_SECONDS,
        },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async spend({ hash, clientId }, browserHash, at) {
      const item = await table.update(pushedRequestKey(hash), {
        condition: [
          '#client_id = :client AND #expires_at > :at',
          '(attribute_not_exists(#browser_hash) OR #browser_hash = :browser)',
        ].join(' AND '),
        compute: ['#browser_hash = :browser'],
        values: { at, client: clientId, browser: browserHash },
      });
      return item && pushedRequestItem.read(item);
    },
  };
}
