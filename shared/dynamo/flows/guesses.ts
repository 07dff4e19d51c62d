import { PASSCODE_FAILURES_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { GuessCounter, Guesses } from '../../ports/flows.ts';
import { readNumber } from '../attributes.ts';
import { guessesKey, guessesPartition } from '../keys.ts';
import { removeAll, type Table } from '../table.ts';

const itemKey = ({ person, asker }: GuessCounter) => guessesKey(person, asker);

/** One item a counter, all of a person in one partition. */
export function guesses(table: Table): Guesses {
  return {
    async count(counter, max, at) {
      const item = await table.update(itemKey(counter), {
        condition: '(attribute_not_exists(#failures) OR #failures < :max)',
        compute: ['#failures = if_not_exists(#failures, :zero) + :one'],
        set: { purge_at: at + PASSCODE_FAILURES_KEPT_SECONDS },
        values: { max, zero: 0, one: 1 },
        mark: 'counted_by',
        counts: true,
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
      const pk = guessesPartition(person);
      await removeAll(table, pk, await table.query(pk));
    },
  };
}
