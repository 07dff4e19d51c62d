import type { FormerIssuer, FormerIssuers } from '../../ports/directory.ts';
import { codec, number, text } from '../codec.ts';
import { formerIssuerKey } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';

const item = codec<FormerIssuer>({
  applicationId: text('application_id'),
  issuer: text('issuer'),
  audience: text('audience'),
  jwksUri: text('jwks_uri'),
  until: number('until'),
});

export function formerIssuers(table: Table): FormerIssuers {
  return {
    async find(applicationId, at) {
      const former = await readRecord(table, formerIssuerKey(applicationId), item);
      return former && former.until > at ? former : undefined;
    },

    async put(former) {
      await table.put({ ...formerIssuerKey(former.applicationId), ...item.toAttributes(former) });
    },

    remove: (applicationId) => table.remove(formerIssuerKey(applicationId)),
  };
}
