import type { SendWindow, WindowRecords, Windows } from '../ports/flows.ts';
import { optionalNumber } from './attributes.ts';
import { windowKey } from './keys.ts';
import type { Table } from './table.ts';

/** A little later than the end of the longest window, for clocks that disagree. */
const KEPT_SECONDS = 3600;

interface Bucket {
  readonly max: number;
  readonly endsAt: number;
  readonly attribute: string;
}

function bucketOf({ seconds, max }: SendWindow, at: number): Bucket {
  const bucket = Math.floor(at / seconds);
  return { max, endsAt: (bucket + 1) * seconds, attribute: `n${seconds}_${bucket}` };
}

/**
 * One item for a key and the current longest window; each shorter window has a counter for each of its buckets in it, so
 * that all of them are checked and counted by one write.
 */
export function windows(table: Table): Windows {
  return {
    async count(key, counted, at) {
      const longest = counted.at(-1);
      if (longest === undefined || counted.some(({ seconds }) => longest.seconds % seconds !== 0))
        throw new Error('Windows must divide the last one, or a bucket would lie in two items');

      const by = crypto.randomUUID();
      const buckets = counted.map((window) => bucketOf(window, at));
      const itemKey = windowKey(key, longest.seconds, Math.floor(at / longest.seconds));
      const attempt = await table.tryUpdate(itemKey, {
        condition: [
          ...buckets.map(
            ({ attribute }, i) =>
              `((attribute_not_exists(#${attribute}) AND :max${i} > :zero) OR #${attribute} < :max${i})`,
          ),
          '(attribute_not_exists(#counted_by) OR #counted_by <> :by)',
        ].join(' AND '),
        compute: buckets.map(({ attribute }) => `#${attribute} = if_not_exists(#${attribute}, :zero) + :one`),
        set: { counted_by: by, purge_at: bucketOf(longest, at).endsAt + KEPT_SECONDS },
        values: { by, zero: 0, one: 1, ...Object.fromEntries(buckets.map(({ max }, i) => [`max${i}`, max])) },
        ours: (found) => found.counted_by === by,
        notOverdue: true,
      });
      const item = (attempt.done ? attempt.item : attempt.standing) ?? {};
      const full = buckets.filter(({ attribute, max }) => (optionalNumber(item, attribute) ?? 0) >= max);
      if (attempt.done) return { admitted: true, exhausted: full.length > 0 };
      return { admitted: false, retryAfterSeconds: Math.max(1, ...full.map(({ endsAt }) => endsAt - at)) };
    },
  };
}

export function windowRecords(table: Table): WindowRecords {
  return {
    async forget(key, longestSeconds, at) {
      const bucket = Math.floor(at / longestSeconds);
      // The one before stays a little longer than it counts.
      await Promise.all(
        [bucket - 1, bucket].map((each) => table.remove(windowKey(key, longestSeconds, each))),
      );
    },
  };
}
