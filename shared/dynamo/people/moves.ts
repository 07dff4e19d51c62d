import type { Moves } from '../../ports/people.ts';
import { userKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { guarded } from './users.ts';

export function moves(table: Table): Moves {
  return {
    take: ({ userId, generations }, at, holder) =>
      table.change(userKey(userId), {
        ...guarded(generations, {
          condition: 'attribute_not_exists(#last_auth_at) AND attribute_not_exists(#moved_at)',
        }),
        set: { moved_at: at },
        mark: 'moved_by',
        by: holder,
      }),

    async giveBack(userId, holder) {
      await table.undo(userKey(userId), holder, { remove: ['#moved_at'], add: { version: 1 } }, 'moved_by');
    },
  };
}
