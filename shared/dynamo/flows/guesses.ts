import { PASSCODE_FAILURES_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import type { GuessCounter, WrongCodeCounters } from '../../ports/flows.ts';
import { isPurgeable, readNumber } from '../attributes.ts';
import { guessesKey, guessesPartition } from '../keys.ts';
import { removeAll, type Table } from '../table.ts';

const itemKey = ({ userHash, callerType }: GuessCounter) => guessesKey(userHash, callerType);

/** Creates the store of wrong-code counters. Each counter is one item, and all counters of a user share a partition. */
export function guesses(table: Table): WrongCodeCounters {
  return {
    async count(counter, max, at) {
      const counting = (condition: string, failures: string) =>
        table.tryUpdate(itemKey(counter), {
          condition,
          compute: [`#failures = ${failures}`],
          set: { purge_at: at + PASSCODE_FAILURES_KEPT_SECONDS },
          values: { at, max, zero: 0, one: 1 },
          tokenAttribute: 'counted_by',
          counts: true,
        });
      const countOn = () =>
        counting(
          '(attribute_not_exists(#failures) OR (#failures < :max AND #purge_at > :at))',
          'if_not_exists(#failures, :zero) + :one',
        );
      let attempt = await countOn();
      // The counted failures have expired, so the count restarts. A concurrent attempt may restart the count first.
      if (attempt.existing && isPurgeable(attempt.existing, at)) {
        attempt = await counting('#purge_at <= :at', ':one');
        if (!attempt.done) attempt = await countOn();
      }
      return attempt.done ? readNumber(attempt.item, 'failures') : undefined;
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
      const [items, at] = [await table.query(guessesPartition(person)), nowSeconds()];
      return items.some((item) => !isPurgeable(item, at) && readNumber(item, 'failures') >= max);
    },

    async clearAllOf(person) {
      const pk = guessesPartition(person);
      await removeAll(table, pk, await table.query(pk));
    },
  };
}
