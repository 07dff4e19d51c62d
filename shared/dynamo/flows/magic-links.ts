import { CONSUMED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { MagicLink, MagicLinks } from '../../ports/flows.ts';
import { codec, flag, number, oneOf, optional, text } from '../codec.ts';
import { magicLinkKey } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';

const magicLinkItem = codec<MagicLink>({
  hash: text('hash'),
  userId: text('user_id'),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  redirectUri: text('redirect_uri'),
  state: optional(text('state')),
  requestIdHash: optional(text('request_id_hash')),
  deliveredToHash: optional(text('delivered_to_hash')),
  channel: oneOf('channel', ['email', 'direct']),
  interstitial: optional(flag('interstitial')),
  deviceId: optional(text('device_id')),
  userAgent: optional(text('user_agent')),
  ipAddress: optional(text('ip_address')),
  sentAt: number('sent_at'),
  expiresAt: number('expires_at'),
  consumedAt: optional(number('consumed_at')),
});

const toAttributes = (link: MagicLink) => ({
  ...magicLinkItem.toAttributes(link),
  purge_at: Math.max(link.expiresAt, link.sentAt + CONSUMED_KEPT_SECONDS),
});

/** Creates the store of magic links. Each link is one item, with the hash of the link's code as its key. */
export function magicLinks(table: Table): MagicLinks {
  return {
    async put(link) {
      // The condition fails only if the SDK repeats this write. A link that was used in the meantime must not become valid
      // again.
      const item = { ...magicLinkKey(link.hash), ...toAttributes(link) };
      await table.put(item, { condition: 'attribute_not_exists(#pk)' });
    },

    find: (hash) => readRecord(table, magicLinkKey(hash), magicLinkItem),

    consume: (hash, at, holder) =>
      table.change(magicLinkKey(hash), {
        condition: 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at',
        set: { consumed_at: at, purge_at: at + CONSUMED_KEPT_SECONDS },
        // Keep the item without personal data, so that a replay of the link is detected.
        remove: ['#delivered_to_hash', '#device_id', '#user_agent', '#ip_address'],
        values: { at },
        tokenAttribute: 'consumed_by',
        token: holder,
      }),

    async undoConsume(link, holder) {
      await table.undo(magicLinkKey(link.hash), holder, { set: toAttributes(link) });
    },

    async revoke(hash) {
      await table.remove(magicLinkKey(hash));
    },
  };
}
