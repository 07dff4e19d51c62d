import type { SessionExchanges } from '../../ports/people.ts';
import { userKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { ifActiveAndUnchanged } from './users.ts';

export function sessionExchanges(table: Table): SessionExchanges {
  return {
    record: ({ userId, generations }, at, holder) =>
      table.change(userKey(userId), {
        ...ifActiveAndUnchanged(generations, {
          condition: 'attribute_not_exists(#last_auth_at) AND attribute_not_exists(#moved_at)',
        }),
        set: { moved_at: at },
        tokenAttribute: 'moved_by',
        token: holder,
      }),

    async remove(userId, holder) {
      await table.undo(userKey(userId), holder, { remove: ['#moved_at'], add: { version: 1 } }, 'moved_by');
    },
  };
}
