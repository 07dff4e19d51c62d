import type { SeenDevices, Timeline, UserEvent } from '../../ports/events.ts';
import { asJson, optionalJson, text } from '../attributes.ts';
import { seenDeviceKey, seenDevicesPartition, timelineKey, timelinePartition } from '../keys.ts';
import type { Item, Table } from '../table.ts';

const toEvent = (item: Item): UserEvent => ({
  eventId: text(item, 'event_id'),
  type: text(item, 'type'),
  userId: text(item, 'user_id'),
  time: text(item, 'time'),
  detail: (optionalJson(item, 'detail') ?? {}) as UserEvent['detail'],
});

/** One item an event, sorted by its time. */
export function timeline(table: Table): Timeline {
  return {
    async add(event, purgeAt) {
      await table.put({
        ...timelineKey(event.userId, event.time, event.eventId),
        event_id: event.eventId,
        type: event.type,
        user_id: event.userId,
        time: event.time,
        detail: asJson(event.detail),
        purge_at: purgeAt,
      });
    },

    async list(userId, page) {
      const { items, ...rest } = await table.queryNewest(timelinePartition(userId), page);
      return { items: items.map(toEvent), ...rest };
    },

    async erase(userId) {
      for (const pk of [timelinePartition(userId), seenDevicesPartition(userId)])
        for (const item of await table.query(pk)) await table.remove({ pk, sk: text(item, 'sk') });
    },
  };
}

export function seenDevices(table: Table): SeenDevices {
  return {
    async note(userId, device, at, purgeAt) {
      const others = await table.query(seenDevicesPartition(userId));
      if (others.some(({ sk }) => sk === device)) return 'known';
      const item = { ...seenDeviceKey(userId, device), user_id: userId, seen_at: at, purge_at: purgeAt };
      const noted = await table.put(item, { condition: 'attribute_not_exists(#pk)' });
      if (!noted) return 'known';
      return others.length === 0 ? 'first' : 'new';
    },
  };
}
