import { EXPIRED_KEPT_SECONDS, KNOWN_DEVICE_SECONDS, KNOWN_DEVICES_MAX } from '../../domain/basis/limits.ts';
import type { KnownDeviceRecords, KnownDevices } from '../../ports/authorization.ts';
import type { Item } from '../attributes.ts';
import { knownDevicesKey } from '../keys.ts';
import type { Table } from '../table.ts';

const PREFIX = 'browser:';

/** Returns the known browsers of a user with the time of their last login, newest first. */
function seenIn(item: Item | undefined): readonly (readonly [browserHash: string, seenAt: number])[] {
  return Object.entries(item ?? {})
    .flatMap(([name, seenAt]) =>
      name.startsWith(PREFIX) && typeof seenAt === 'number'
        ? [[name.slice(PREFIX.length), seenAt] as const]
        : [],
    )
    .sort(([one, oneSeen], [other, otherSeen]) => otherSeen - oneSeen || (one < other ? -1 : 1));
}

/**
 * Creates the store of known browsers. Each user has one item with one attribute per browser. A write removes expired and
 * surplus browsers. Concurrent writes choose the same browsers for removal, so the newest browsers remain.
 */
export function knownDevices(table: Table): KnownDevices {
  return {
    async isKnown(userId, browserHash, at) {
      const item = await table.get(knownDevicesKey(userId));
      const seenAt = item?.[`${PREFIX}${browserHash}`];
      return typeof seenAt === 'number' && at < seenAt + KNOWN_DEVICE_SECONDS;
    },

    async remember(userId, browserHash, at) {
      const key = knownDevicesKey(userId);
      const item = await table.update(key, {
        compute: ['#browser = :at'],
        set: { user_id: userId, purge_at: at + KNOWN_DEVICE_SECONDS + EXPIRED_KEPT_SECONDS },
        names: { browser: `${PREFIX}${browserHash}` },
        values: { at },
      });
      const gone = seenIn(item).filter(
        ([, seenAt], index) => index >= KNOWN_DEVICES_MAX || seenAt + KNOWN_DEVICE_SECONDS <= at,
      );
      if (gone.length === 0) return;
      await table.update(key, {
        condition: 'attribute_exists(#pk)',
        remove: gone.map((_, index) => `#gone${index}`),
        names: Object.fromEntries(gone.map(([hash], index) => [`gone${index}`, `${PREFIX}${hash}`])),
      });
    },
  };
}

export function knownDeviceRecords(table: Table): KnownDeviceRecords {
  return {
    async forgetAllOf(userId) {
      await table.remove(knownDevicesKey(userId));
    },
  };
}
