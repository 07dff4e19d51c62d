import { PASSCODE_FAILURES_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { GuessCounter, Guesses } from '../../ports/flows.ts';
import { readNumber, readText } from '../attributes.ts';
import { guessesKey, guessesPartition } from '../keys.ts';
import type { Table } from '../table.ts';

const itemKey = ({ person, asker }: GuessCounter) => guessesKey(person, asker);

/** One item a counter, all of a person in one partition. */
export function guesses(table: Table): Guesses {
  return {
    async count(counter, max, at) {
      const by = crypto.randomUUID();
      const item = await table.update(itemKey(counter), {
        condition: [
          '(attribute_not_exists(#failures) OR #failures < :max)',
          '(attribute_not_exists(#counted_by) OR #counted_by <> :by)',
        ].join(' AND '),
        compute: ['#failures = if_not_exists(#failures, :zero) + :one'],
        set: { counted_by: by, purge_at: at + PASSCODE_FAILURES_KEPT_SECONDS },
        values: { by, max, zero: 0, one: 1 },
        ours: (found) => found.counted_by === by,
        notOverdue: true,
      });
      return item && readNumber(item, 'failures');
    },

    clearBelow: (counter, max) =>
      table.remove(itemKey(counter), {
        condition: 'attribute_not_exists(#failures) OR #failures < :max',
        values: { max },
      }),

    async clear(counter) {
      await table.remove(itemKey(counter));
    },

    async areFull(person, max) {
      const items = await table.query(guessesPartition(person));
      return items.some((item) => readNumber(item, 'failures') >= max);
    },

    async clearAllOf(person) {
      const items = await table.query(guessesPartition(person));
      await Promise.all(items.map((item) => table.remove(guessesKey(person, readText(item, 'sk')))));
    },
  };
}
