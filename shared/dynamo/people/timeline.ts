import type { SeenDevices, Timeline, UserEvent } from '../../ports/events.ts';
import { type Item, readText } from '../attributes.ts';
import { codec, json, text } from '../codec.ts';
import { seenDeviceKey, seenDevicesPartition, timelineKey, timelinePartition } from '../keys.ts';
import type { Table } from '../table.ts';

const eventItem = codec<UserEvent>({
  eventId: text('event_id'),
  type: text('type'),
  userId: text('user_id'),
  time: text('time'),
  detail: json('detail', (detail) => detail as UserEvent['detail']),
});

/** One item an event, sorted by its time. */
export function timeline(table: Table): Timeline {
  return {
    async add(event, purgeAt) {
      await table.put({
        ...timelineKey(event.userId, event.time, event.eventId),
        ...eventItem.toAttributes(event),
        purge_at: purgeAt,
      });
    },

    async list(userId, page) {
      const { items, ...rest } = await table.queryNewest(timelinePartition(userId), page);
      return { items: items.map(eventItem.read), ...rest };
    },

    async erase(userId) {
      for (const pk of [timelinePartition(userId), seenDevicesPartition(userId)])
        for (const item of await table.query(pk)) await table.remove({ pk, sk: readText(item, 'sk') });
    },
  };
}

export function seenDevices(table: Table): SeenDevices {
  return {
    async note(userId, device, eventId, at, purgeAt) {
      const seen = await table.query(seenDevicesPartition(userId));
      const ours = (item: Item) => item.noted_by === eventId;
      const item = {
        ...seenDeviceKey(userId, device),
        ...{ user_id: userId, noted_by: eventId, seen_at: at, purge_at: purgeAt },
      };
      const own = seen.find(({ sk }) => sk === device);
      const isNoted = own
        ? ours(own)
        : await table.put(item, { condition: 'attribute_not_exists(#pk)', ours });
      if (!isNoted) return 'known';
      return seen.some(({ sk }) => sk !== device) ? 'new' : 'first';
    },
  };
}
