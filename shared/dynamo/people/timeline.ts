import { inBatches } from '../../domain/basis/await-all.ts';
import {
  LIST_EXAMINED_MAX,
  LIST_LIMIT_MAX,
  PARALLEL_WRITES,
  SEEN_DEVICES_MAX,
} from '../../domain/basis/limits.ts';
import type { MessageSubject } from '../../ports/delivery.ts';
import type { Page, PageRequest } from '../../ports/directory.ts';
import type { ChangeEvent, SeenDevices, Timeline, TimelineEvent, UserEvent } from '../../ports/events.ts';
import type { LoginFailure } from '../../ports/people.ts';
import { isReportedById } from '../../records/channels.ts';
import { IS_MISSING_OR_PURGEABLE, type Item, isPurgeable, readNumber, readText } from '../attributes.ts';
import { codec, json, optional, text } from '../codec.ts';
import {
  changesPartition,
  eventSort,
  failureKey,
  failuresPartitions,
  listPartitions,
  messageKey,
  messagesPartition,
  requestIndexKey,
  seenDeviceKey,
  seenDevicesPartition,
  sentTextKey,
  splitKey,
  timelineKey,
  timelinePartition,
  userChangesPartition,
} from '../keys.ts';
import { newestCursor } from '../listing.ts';
import { removeAll, type Table } from '../table.ts';

const fields = {
  eventId: text('event_id'),
  type: text('type'),
  time: text('time'),
  detail: json('detail', (detail) => detail as TimelineEvent['detail']),
};
const messageItem = codec<TimelineEvent>(fields);
const eventItem = codec<UserEvent>({ ...fields, userId: text('user_id') });
const changeItem = codec<ChangeEvent>({
  ...fields,
  tenantId: text('tenant_id'),
  userId: optional(text('user_id')),
});

const sentTextItem = codec<{
  readonly userId?: string;
  readonly recipientHash?: string;
  readonly applicationId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly recipient?: string | undefined;
}>({
  tenantId: optional(text('tenant_id')),
  recipient: optional(text('recipient')),
  userId: optional(text('user_id')),
  applicationId: optional(text('application_id')),
  recipientHash: optional(text('recipient_hash')),
});

/** Types of the events of failed requests. Events of successful logins are not indexed, because index writes are billed. */
const FAILED_TYPES: readonly string[] = ['login.failed', 'login.locked', 'message.refused', 'token.reused'];

/** Returns the attributes that index the event of a failed request, so that support finds the user of its request ID. */
const indexByRequest = ({ type, detail: { request_id } }: TimelineEvent) =>
  FAILED_TYPES.includes(type) && request_id !== undefined ? requestIndexKey(String(request_id)) : {};

const LISTED_TYPES: readonly string[] = ['login.failed', 'login.locked'] satisfies LoginFailure[];

/** Returns the attributes that add an event about a failed login to the list of its tenant. */
const indexByType = ({ type, time, eventId, detail: { tenant_id } }: UserEvent) =>
  LISTED_TYPES.includes(type) && tenant_id !== undefined
    ? { list_pk: listPartitions.events(String(tenant_id), type), list_sk: eventSort(time, eventId) }
    : {};

const byNewest = (one: Item, other: Item) => (readText(one, 'sk') < readText(other, 'sk') ? 1 : -1);

/**
 * Reads several partitions as one list. Their sort keys have the same format, so the cursor, which is a sort key, is valid in
 * each partition.
 */
async function readMerged(
  table: Table,
  partitions: readonly string[],
  page: PageRequest,
  since?: string,
): Promise<Page<Item>> {
  const pages = await Promise.all(partitions.map((pk) => table.queryNewest(pk, page, since)));
  const found = pages.flatMap(({ items }) => items).toSorted(byNewest);
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  const more = found.length > items.length || pages.some(({ nextCursor }) => nextCursor !== undefined);
  return { items, ...(more && last && { nextCursor: newestCursor(last) }) };
}

/**
 * Fills a page with the events that `keep` accepts, so that neither the length of the page nor its cursor reveals other events.
 * Examines at most LIST_EXAMINED_MAX items.
 */
async function readKept<T>(
  readItems: (page: PageRequest) => Promise<Page<Item>>,
  { limit, cursor: from }: PageRequest,
  { read, keep }: { readonly read: (item: Item) => T; readonly keep: (event: T) => boolean },
): Promise<Page<T>> {
  const kept: T[] = [];
  let [cursor, lastKept] = [from, from];
  for (let examined = LIST_LIMIT_MAX; examined <= LIST_EXAMINED_MAX; examined += LIST_LIMIT_MAX) {
    const request = { limit: LIST_LIMIT_MAX, ...(cursor === undefined ? {} : { cursor }) };
    const { items, nextCursor } = await readItems(request);
    for (const item of items) {
      const event = read(item);
      if (!keep(event)) continue;
      // An additional event beyond the limit shows that there is a next page.
      if (kept.length === limit && lastKept !== undefined) return { items: kept, nextCursor: lastKept };
      kept.push(event);
      lastKept = newestCursor(item);
    }
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return { items: kept, ...(cursor === undefined ? {} : { nextCursor: cursor }) };
}

/**
 * Creates the store of timelines. Each event is one item, ordered by time. A change to a user is stored twice, for the user and
 * for the tenant.
 */
export function timeline(table: Table): Timeline {
  async function eraseMessages(subject: string): Promise<void> {
    const pk = messagesPartition(subject);
    const items = await table.query(pk);
    const failures = items.flatMap((item) => {
      const { time, eventId } = messageItem.read(item);
      return item.failed_in === undefined ? [] : [failureKey(readText(item, 'failed_in'), time, eventId)];
    });
    const texts = items
      .map((item) => messageItem.read(item).detail)
      .flatMap(({ sent, message_id }) =>
        isReportedById(sent) && message_id !== undefined ? [message_id] : [],
      );
    // Remove failures and SMS keys first. After a crash, a repetition can find them only through the remaining messages.
    await inBatches(failures, PARALLEL_WRITES, (key) => table.remove(key));
    await inBatches(texts, PARALLEL_WRITES, (messageId) => table.remove(sentTextKey(String(messageId))));
    await removeAll(table, pk, items);
  }
  async function readMessages(
    partitions: readonly string[],
    page: PageRequest,
    keep?: (event: TimelineEvent) => boolean,
    since?: string,
  ): Promise<Page<TimelineEvent>> {
    const readItems = (request: PageRequest) => readMerged(table, partitions, request, since);
    if (keep) return readKept(readItems, page, { read: messageItem.read, keep });
    const { items, ...rest } = await readItems(page);
    return { items: items.map(messageItem.read), ...rest };
  }
  return {
    async add(event, purgeAt) {
      await table.put({
        ...timelineKey(event.userId, event.time, event.eventId),
        ...eventItem.toAttributes(event),
        ...indexByRequest(event),
        ...indexByType(event),
        purge_at: purgeAt,
      });
    },

    async addChange(event, purgeAt) {
      const { userId, tenantId } = event;
      const item = {
        ...{ sk: timelineKey('', event.time, event.eventId).sk, purge_at: purgeAt },
        ...changeItem.toAttributes(event),
      };
      await table.put({ ...item, pk: changesPartition(tenantId) });
      // Write the user's item last. An erasure finds the tenant's item through it. If the user was erased in the meantime, the
      // caller repeats the erasure.
      if (userId !== undefined) await table.put({ ...item, pk: userChangesPartition(userId) });
    },

    listChanges({ tenantId, userId }, page, keep) {
      const pk = userId === undefined ? changesPartition(tenantId) : userChangesPartition(userId);
      return readKept((request) => table.queryNewest(pk, request), page, {
        read: changeItem.read,
        keep: (event) => event.tenantId === tenantId && keep(event),
      });
    },

    async list(userId, page) {
      const { items, ...rest } = await table.queryNewest(timelinePartition(userId), page);
      return { items: items.map(eventItem.read), ...rest };
    },

    async addMessage(subject, event, purgeAt, failure) {
      const { time, eventId, detail } = event;
      // This entry is stored before the message, so that an erasure that finds the message also finds this entry.
      if (failure) {
        const user = failure.userId === undefined ? {} : { user_id: failure.userId };
        await table.put({
          ...failureKey(failure.tenantId, time, eventId),
          ...messageItem.toAttributes({ ...event, detail: { ...detail, ...user } }),
          purge_at: purgeAt,
        });
      }
      await table.put({
        ...messageKey(subject, time, eventId),
        ...messageItem.toAttributes(event),
        ...indexByRequest(event),
        ...(failure && { failed_in: failure.tenantId }),
        purge_at: purgeAt,
      });
    },

    async rememberText(messageId, subject, purgeAt) {
      await table.put({
        ...sentTextKey(messageId),
        ...sentTextItem.toAttributes(subject),
        purge_at: purgeAt,
      });
    },

    async findText(messageId) {
      const item = await table.get(sentTextKey(messageId));
      return item && (sentTextItem.read(item) as MessageSubject);
    },

    async findSubjectOfRequest(requestId) {
      const { find_pk, find_sk } = requestIndexKey(requestId);
      const { items } = await table.queryByBeginning(find_pk, find_sk, { limit: 1 });
      return items[0] && splitKey(readText(items[0], 'pk'))[1];
    },

    listFailures: ({ tenantId, since }, page, keep) =>
      readMessages(failuresPartitions(tenantId), page, keep, since),

    listMessages: (subjects, page, keep) => readMessages(subjects.map(messagesPartition), page, keep),

    listWithMessages: (userId, subjects, page, keep) =>
      readMessages([timelinePartition(userId), ...subjects.map(messagesPartition)], page, keep),

    async erase(userId) {
      const partitions = [timelinePartition(userId), seenDevicesPartition(userId)];
      const changes = await table.query(userChangesPartition(userId));
      await inBatches(changes, PARALLEL_WRITES, (item) =>
        table.remove({ pk: changesPartition(readText(item, 'tenant_id')), sk: readText(item, 'sk') }),
      );
      await Promise.all([
        eraseMessages(userId),
        removeAll(table, userChangesPartition(userId), changes),
        ...partitions.map(async (pk) => removeAll(table, pk, await table.query(pk))),
      ]);
    },

    eraseMessages,
  };
}

export function seenDevices(table: Table): SeenDevices {
  return {
    async note(userId, { device, eventId, at, purgeAt }) {
      const pk = seenDevicesPartition(userId);
      const seen = (await table.query(pk)).filter((item) => !isPurgeable(item, at));
      const ours = (item: Item) => item.noted_by === eventId;
      const item = {
        ...seenDeviceKey(userId, device),
        user_id: userId,
        noted_by: eventId,
        seen_at: at,
        purge_at: purgeAt,
      };
      const own = seen.find(({ sk }) => sk === device);
      const isNoted = own
        ? ours(own)
        : await table.put(item, { condition: IS_MISSING_OR_PURGEABLE, values: { at }, isOurs: ours });
      if (!isNoted) return 'known';
      const newest = seen.toSorted((one, other) => readNumber(other, 'seen_at') - readNumber(one, 'seen_at'));
      await removeAll(table, pk, newest.slice(SEEN_DEVICES_MAX - (own ? 0 : 1)));
      return seen.some(({ sk }) => sk !== device) ? 'new' : 'first';
    },
  };
}
