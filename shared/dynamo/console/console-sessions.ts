import type { ConsoleSession, ConsoleSessions } from '../../ports/console.ts';
import { codec, map, number, optional, text } from '../codec.ts';
import { bindingItem, deviceBindings } from '../device-bindings.ts';
import { consoleSessionKey } from '../keys.ts';
import type { Table } from '../table.ts';

const consoleSessionItem = codec<ConsoleSession>({
  hash: text('hash'),
  sealed: text('sealed'),
  userId: optional(text('user_id')),
  binding: optional(map('binding', bindingItem)),
  expiresAt: number('expires_at'),
});

export function consoleSessions(table: Table): ConsoleSessions {
  return {
    ...deviceBindings(table, consoleSessionKey, '#expires_at > :at'),
    async put(session) {
      const item = { ...consoleSessionKey(session.hash), ...consoleSessionItem.toAttributes(session) };
      await table.put({ ...item, purge_at: session.expiresAt });
    },
    async find(hash, at) {
      const item = await table.get(consoleSessionKey(hash));
      const session = item && consoleSessionItem.read(item);
      return session && session.expiresAt > at ? session : undefined;
    },
    keep: ({ hash, sealed }, at) =>
      table.change(consoleSessionKey(hash), {
        condition: 'attribute_exists(#pk) AND #expires_at > :at',
        set: { sealed },
        values: { at },
      }),
    async remove(hash) {
      await table.remove(consoleSessionKey(hash));
    },
  };
}
