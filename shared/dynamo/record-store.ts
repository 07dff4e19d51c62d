import { LIST_EXAMINED_MAX, LIST_LIMIT_MAX } from '../domain/basis/limits.ts';
import type { Page, PageRequest, ReadOptions, RecordStore } from '../ports/directory.ts';
import type { Item } from './attributes.ts';
import { readNumber } from './attributes.ts';
import { createCache } from './cache.ts';
import type { Codec } from './codec.ts';
import { type Key, listSort } from './keys.ts';
import { writeCursor } from './listing.ts';
import type { Table } from './table.ts';

/** Storage format of a record type: its key, its list and its codec. */
export interface RecordStorage<T> {
  readonly key: (id: string) => Key;
  readonly id: (record: T) => string;
  /** Returns the partition of the list to which the record belongs. */
  readonly list: (record: T) => string;
  readonly toListPartition: (parentId: string) => string;
  readonly codec: Codec<T>;
  /** Returns additional attributes of the item, for an index. */
  readonly indexAttributes?: (record: T) => Readonly<Record<string, unknown>>;
}

/** Reads a record by its key. The read is strongly consistent. */
export async function readRecord<T>(table: Table, key: Key, { read }: Codec<T>): Promise<T | undefined> {
  const item = await table.get(key);
  return item && read(item);
}

interface Lookup<T> {
  find(id: string, options?: ReadOptions): Promise<T | undefined>;
}

/** Creates the read-only view of a store. Each container caches found records for a minute. */
export function cachedReader<T>(table: Table, { key, codec }: RecordStorage<T>): Lookup<T> {
  const cache = createCache<T>();
  return {
    find: (id, options) => cache(id, () => readRecord(table, key(id), codec), options),
  };
}

/** Version of each record that was read or written. It is not stored in the record, so that no response contains it. */
const versions = new WeakMap<object, number>();

function read<T extends object>(kind: RecordStorage<T>, item: Item): T {
  const record = kind.codec.read(item);
  versions.set(record, readNumber(item, 'version'));
  return record;
}

/**
 * Creates the store of records that people edit. Each write requires the version that was read, and stores the next version.
 */
export function recordStore<T extends { readonly createdAt: number }>(
  table: Table,
  kind: RecordStorage<T>,
): RecordStore<T> {
  async function write(record: T, version: number, condition: string): Promise<boolean> {
    const id = kind.id(record);
    const written = await table.put(
      {
        ...kind.key(id),
        list_pk: kind.list(record),
        list_sk: listSort(record.createdAt, id),
        ...kind.codec.toAttributes(record),
        ...kind.indexAttributes?.(record),
        version,
      },
      { condition, values: { expected: version - 1 }, tokenAttribute: 'written_by' },
    );
    if (written) versions.set(record, version);
    return written;
  }

  /** Lists the records that `keep` accepts, up to the page's limit. Examines a limited number of stored records. */
  async function listKept(
    listPk: string,
    { limit, cursor: from, isNewestFirst }: PageRequest,
    keep: (record: T) => boolean,
  ): Promise<Page<T>> {
    const kept: T[] = [];
    let cursor = from;
    for (let examined = LIST_LIMIT_MAX; examined <= LIST_EXAMINED_MAX; examined += LIST_LIMIT_MAX) {
      const request = { limit: LIST_LIMIT_MAX, isNewestFirst, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await table.queryIndex(listPk, request);
      for (const [index, item] of items.entries()) {
        const record = read(kind, item);
        if (!keep(record)) continue;
        kept.push(record);
        if (kept.length < limit) continue;
        const isLast = index === items.length - 1 && nextCursor === undefined;
        return { items: kept, ...(isLast ? {} : { nextCursor: writeCursor(item) }) };
      }
      if (nextCursor === undefined) return { items: kept };
      cursor = nextCursor;
    }
    return { items: kept, ...(cursor === undefined ? {} : { nextCursor: cursor }) };
  }

  return {
    put: (record) => write(record, 1, 'attribute_not_exists(#pk)'),

    async find(id) {
      const item = await table.get(kind.key(id));
      return item && read(kind, item);
    },

    async replace(expected, next) {
      const version = versions.get(expected);
      if (version === undefined)
        throw new Error('Only a record that was read from the store can be replaced');
      return write(next, version + 1, '#version = :expected');
    },

    remove: (id) => table.remove(kind.key(id)),

    async list(parentId, page, keep) {
      const listPk = kind.toListPartition(parentId);
      if (keep) return listKept(listPk, page, keep);
      const { items, ...rest } = await table.queryIndex(listPk, page);
      return { items: items.map((item) => read(kind, item)), ...rest };
    },
  };
}
