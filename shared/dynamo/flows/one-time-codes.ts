import { CONSUMED_KEPT_SECONDS, PASSCODE_FAILURES_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { OneTimeCodeKey, OneTimeCodes } from '../../ports/flows.ts';
import { readNumber } from '../attributes.ts';
import { oneTimeCodeKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { unavailable } from '../unavailable.ts';
import { codeItem, REVOKED_ATTRIBUTES, toState } from './one-time-code-item.ts';

/**
 * One item per application and identifier holds the last code and the counters: each guard is one write.
 *
 * `tries`: failed since the last success or lock, always below `max_tries` after a put. The try that makes them equal kills
 * the code and begins the lock in the same write. The lock lasts until `lock_ends_at`, which every try writes in case it is
 * the last. A put during or after the lock starts `tries` at 0 and copies that end to `locked_until`: the new code is
 * stored, but no try is counted before.
 */

/** What a put does to the tries; exactly one of the conditions holds at any moment. */
const PUTS = [
  {
    condition: 'attribute_not_exists(#tries) OR (#tries < #max_tries AND #tries < :max)',
    compute: ['#tries = if_not_exists(#tries, :zero)'],
  },
  { condition: '#tries >= #max_tries', compute: ['#tries = :zero', '#locked_until = #lock_ends_at'] },
  // The channel before allowed more tries than this one.
  { condition: '#tries < #max_tries AND #tries >= :max', compute: ['#tries = :max - :one'] },
];
const PUT_ROUNDS = 3;

const itemKey = (key: OneTimeCodeKey) => oneTimeCodeKey(key.applicationId, key.identifierHash);

type Keeping = Pick<OneTimeCodes, 'put' | 'find' | 'revoke' | 'remove'>;
type Counting = Pick<OneTimeCodes, 'countTry' | 'refundTry'>;

export const oneTimeCodes = (table: Table): OneTimeCodes => ({
  ...keeping(table),
  ...counting(table),
  consume: (key, mac, at) => consume(table, key, mac, at),
});

function keeping(table: Table): Keeping {
  return {
    async put(key, code) {
      const by = crypto.randomUUID();
      // Another call may move the counters between two alternatives.
      for (const { condition, compute } of Array.from({ length: PUT_ROUNDS }, () => PUTS).flat()) {
        const stored = await table.update(itemKey(key), {
          condition: `(${condition}) AND (attribute_not_exists(#put_by) OR #put_by <> :by)`,
          compute,
          set: {
            ...codeItem.toAttributes(code),
            consumed_by: undefined,
            purge_at: code.expiresAt + PASSCODE_FAILURES_KEPT_SECONDS,
            put_by: by,
          },
          values: { by, max: code.maxTries, zero: 0, one: 1 },
          ours: (item) => item.put_by === by,
        });
        if (stored !== undefined) return;
      }
      throw unavailable();
    },

    async find(key) {
      const item = await table.get(itemKey(key));
      return item && toState(item);
    },

    async revoke(key, mac) {
      await table.update(itemKey(key), {
        condition: '#mac = :mac AND attribute_not_exists(#consumed_at)',
        remove: REVOKED_ATTRIBUTES.map((name) => `#${name}`),
        values: { mac },
      });
    },

    async remove(key) {
      await table.remove(itemKey(key));
    },
  };
}

function counting(table: Table): Counting {
  return {
    async countTry(key, { at, maxFailures, expired }) {
      const by = crypto.randomUUID();
      const item = await table.update(itemKey(key), {
        condition: [
          'attribute_exists(#mac) AND attribute_not_exists(#consumed_at)',
          expired ? '#expires_at <= :at' : '#expires_at > :at',
          '#tries < #max_tries',
          '(attribute_not_exists(#locked_until) OR #locked_until <= :at)',
          '(attribute_not_exists(#failures) OR #failures < :max_failures)',
          '(attribute_not_exists(#counted_by) OR #counted_by <> :by)',
        ].join(' AND '),
        compute: [
          '#tries = #tries + :one',
          '#failures = if_not_exists(#failures, :zero) + :one',
          '#lock_ends_at = :at + #lock_seconds',
        ],
        set: { counted_by: by, purge_at: at + PASSCODE_FAILURES_KEPT_SECONDS },
        values: { at, by, zero: 0, one: 1, max_failures: maxFailures },
        ours: (found) => found.counted_by === by,
        notOverdue: true,
      });
      if (item === undefined) return undefined;
      return {
        triesLeft: readNumber(item, 'max_tries') - readNumber(item, 'tries'),
        failures: readNumber(item, 'failures'),
        code: codeItem.read(item),
      };
    },

    async refundTry(key, mac) {
      const by = crypto.randomUUID();
      await table.update(itemKey(key), {
        condition: [
          '#mac = :mac AND attribute_not_exists(#consumed_at)',
          '#tries >= :one AND #failures >= :one',
          '(attribute_not_exists(#counted_by) OR #counted_by <> :by)',
        ].join(' AND '),
        compute: ['#tries = #tries - :one', '#failures = #failures - :one'],
        set: { counted_by: by },
        values: { mac, by, one: 1 },
        notOverdue: true,
      });
    },
  };
}

async function consume(table: Table, key: OneTimeCodeKey, mac: string, at: number): Promise<boolean> {
  const by = crypto.randomUUID();
  const item = await table.update(itemKey(key), {
    // The caller has a try counted, and no try is counted before the end of a lock.
    condition: [
      '#mac = :mac AND attribute_not_exists(#consumed_at) AND #expires_at > :at',
      '#tries >= :one',
      '(attribute_not_exists(#locked_until) OR #locked_until <= :at)',
    ].join(' AND '),
    set: { consumed_at: at, consumed_by: by, purge_at: at + CONSUMED_KEPT_SECONDS },
    remove: ['#tries', '#failures', '#lock_ends_at', '#locked_until'],
    values: { mac, at, one: 1 },
    ours: (found) => found.consumed_by === by,
  });
  return item !== undefined;
}
