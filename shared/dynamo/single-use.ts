import { EXPIRED_KEPT_SECONDS } from '../domain/basis/limits.ts';
import type { Codec } from './codec.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

interface SingleUse<T> {
  put(record: T): Promise<void>;
  find(hash: string, at: number): Promise<T | undefined>;
  consume(hash: string, at: number, holder?: string): Promise<boolean>;
  undoConsume(hash: string, holder: string, set?: Readonly<Record<string, string>>): Promise<void>;
}

/** Creates a store of single-use records. Each record is one item, and one conditional write consumes it. */
export function singleUse<T extends { readonly hash: string; readonly expiresAt: number }>(
  table: Table,
  key: (hash: string) => Key,
  codec: Codec<T>,
): SingleUse<T> {
  return {
    async put(record) {
      // The condition fails only if the SDK repeats this write. A record that was used in the meantime must not become valid
      // again.
      await table.put(
        {
          ...key(record.hash),
          ...codec.toAttributes(record),
          purge_at: record.expiresAt + EXPIRED_KEPT_SECONDS,
        },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async find(hash, at) {
      const item = await table.get(key(hash));
      if (!item || item.consumed_at !== undefined) return undefined;
      const record = codec.read(item);
      return record.expiresAt > at ? record : undefined;
    },

    consume: (hash, at, holder) =>
      table.change(key(hash), {
        condition: 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at',
        set: { consumed_at: at },
        values: { at },
        tokenAttribute: 'consumed_by',
        token: holder,
      }),

    async undoConsume(hash, holder, set = {}) {
      await table.undo(key(hash), holder, { set, remove: ['#consumed_at'] });
    },
  };
}
