import { CONSUMED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { MagicLink, MagicLinks } from '../../ports/flows.ts';
import {
  number,
  omitUndefined,
  oneOf,
  optionalFlag,
  optionalNumber,
  optionalText,
  text,
} from '../attributes.ts';
import { magicLinkKey } from '../keys.ts';
import type { Item, Table } from '../table.ts';

function toAttributes(link: MagicLink) {
  return {
    hash: link.hash,
    user_id: link.userId,
    tenant_id: link.tenantId,
    application_id: link.applicationId,
    client_id: link.clientId,
    redirect_uri: link.redirectUri,
    state: link.state,
    request_id_hash: link.requestIdHash,
    delivered_to_hash: link.deliveredToHash,
    channel: link.channel,
    interstitial: link.interstitial,
    device_id: link.deviceId,
    user_agent: link.userAgent,
    ip_address: link.ipAddress,
    sent_at: link.sentAt,
    expires_at: link.expiresAt,
    consumed_at: link.consumedAt,
    purge_at: Math.max(link.expiresAt, link.sentAt + CONSUMED_KEPT_SECONDS),
  };
}

function toMagicLink(item: Item): MagicLink {
  return omitUndefined({
    hash: text(item, 'hash'),
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    applicationId: text(item, 'application_id'),
    clientId: text(item, 'client_id'),
    redirectUri: text(item, 'redirect_uri'),
    state: optionalText(item, 'state'),
    requestIdHash: optionalText(item, 'request_id_hash'),
    deliveredToHash: optionalText(item, 'delivered_to_hash'),
    channel: oneOf(item, 'channel', ['email', 'direct']),
    interstitial: optionalFlag(item, 'interstitial'),
    deviceId: optionalText(item, 'device_id'),
    userAgent: optionalText(item, 'user_agent'),
    ipAddress: optionalText(item, 'ip_address'),
    sentAt: number(item, 'sent_at'),
    expiresAt: number(item, 'expires_at'),
    consumedAt: optionalNumber(item, 'consumed_at'),
  });
}

/** One item a link, filed under the hash of its code. */
export function magicLinks(table: Table): MagicLinks {
  return {
    async put(link) {
      // Refused only for a repetition of this very write: a link that was consumed meanwhile must not come back.
      await table.put(
        { ...magicLinkKey(link.hash), ...toAttributes(link) },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async find(hash) {
      const item = await table.get(magicLinkKey(hash));
      return item && toMagicLink(item);
    },

    async consume(hash, at) {
      const by = crypto.randomUUID();
      const item = await table.update(magicLinkKey(hash), {
        condition: 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at',
        set: { consumed_at: at, consumed_by: by, purge_at: at + CONSUMED_KEPT_SECONDS },
        // It stays to tell a replay, and that needs no trace of the person.
        remove: ['#delivered_to_hash', '#device_id', '#user_agent', '#ip_address'],
        values: { at },
        ours: (found) => found.consumed_by === by,
      });
      return item !== undefined;
    },

    async revoke(hash) {
      await table.remove(magicLinkKey(hash));
    },
  };
}
