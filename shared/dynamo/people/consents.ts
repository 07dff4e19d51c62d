import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import type { Consent, Consents } from '../../ports/consents.ts';
import { codec, flag, number, optional, text, texts } from '../codec.ts';
import { consentKey, userPartition } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';

const consentItem = codec<Consent>({
  userId: text('user_id'),
  key: text('key'),
  mark: text('mark'),
  revision: text('given_by'),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  redirectUri: text('redirect_uri'),
  resource: text('resource'),
  scopes: texts('scopes'),
  staysConnected: flag('stays_connected'),
  grantedAt: number('given_at'),
  usedAt: optional(number('used_at')),
  expiresAt: number('expires_at'),
});

const isLiving = (at: number) => (consent: Consent | undefined) =>
  consent && consent.expiresAt > at ? consent : undefined;

/** Creates the store of consents. A user's consents are in the user's partition, where erasing the user finds them. */
export function consents(table: Table): Consents {
  return {
    find: async (userId, key, at) =>
      isLiving(at)(await readRecord(table, consentKey(userId, key), consentItem)),

    grant(consent, seen, at) {
      const { userId, key, revision, expiresAt } = consent;
      const item = {
        ...consentKey(userId, key),
        ...consentItem.toAttributes(consent),
        purge_at: expiresAt,
      };
      return table.put(omitUndefined(item), {
        condition: seen ? '#given_by = :seen' : 'attribute_not_exists(#pk) OR #expires_at <= :at',
        values: { at, seen: seen?.revision },
        isOurs: (stored) => stored.given_by === revision,
      });
    },

    async use(userId, { key, mark }, at) {
      const item = await table.update(consentKey(userId, key), {
        condition: '#mark = :mark AND #expires_at > :at',
        set: { used_at: at },
        values: { mark, at },
      });
      return item && consentItem.read(item);
    },

    async listOf(userId, at) {
      const items = await table.query(userPartition(userId));
      return items
        .filter(({ sk }) => String(sk).startsWith('consent#'))
        .map(consentItem.read)
        .filter((consent) => isLiving(at)(consent));
    },

    end: (userId, key) => table.remove(consentKey(userId, key)),
  };
}
