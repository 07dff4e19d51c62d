import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import type { CachedClientDocument, ClientDocuments } from '../../ports/authorization.ts';
import { codec, flag, number, optional, text, texts } from '../codec.ts';
import { clientDocumentKey } from '../keys.ts';
import type { Table } from '../table.ts';

const documentItem = codec<CachedClientDocument>({
  redirectUris: texts('redirect_uris'),
  refreshes: flag('refreshes'),
  refusal: optional(text('refusal')),
  expiresAt: number('expires_at'),
});

/**
 * Creates the cache of client metadata documents. All applications share one item per document, and the latest fetch replaces
 * it.
 */
export function clientDocuments(table: Table): ClientDocuments {
  return {
    async find(hash, at) {
      const item = await table.get(clientDocumentKey(hash));
      const known = item && documentItem.read(item);
      return known && known.expiresAt > at ? known : undefined;
    },

    async put(hash, document) {
      const item = { ...clientDocumentKey(hash), ...documentItem.toAttributes(document) };
      await table.put(omitUndefined({ ...item, purge_at: document.expiresAt }));
    },
  };
}
