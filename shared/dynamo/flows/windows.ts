import type {
  QuotaWindow,
  UnconfirmedLimit,
  WindowOutcome,
  WindowRecords,
  Windows,
} from '../../ports/windows.ts';
import { readNumber, readText } from '../attributes.ts';
import { windowKey } from '../keys.ts';
import type { Table, WriteOutcome } from '../table.ts';

/** Seconds for which a counter item is kept after the end of its longest rate-limit window, because clocks may differ. */
const KEPT_SECONDS = 3600;
/**
 * Rate-limit windows in which a change is announced, relative to the current one. The change may be stored only in the next
 * window, and functions may use cached records during the window after that. One more window on both sides allows for the
 * difference between the clock of an operator's computer and the clocks of functions.
 */
const ANNOUNCED_WINDOWS = [-1, 0, 1, 2, 3];

interface Bucket {
  readonly max: number;
  readonly endsAt: number;
  readonly attribute: string;
}

function toBucket({ seconds, max, subKey }: QuotaWindow, at: number): Bucket {
  const bucket = Math.floor(at / seconds);
  const attribute = [`n${seconds}`, bucket, ...(subKey === undefined ? [] : [subKey])].join('_');
  return { max, endsAt: (bucket + 1) * seconds, attribute };
}

/** Returns the alias of a counter attribute. The attribute's name may contain characters that expressions do not allow. */
const toAlias = (index: number) => `counter${index}`;
const toAttributeNames = (buckets: readonly Bucket[]) =>
  Object.fromEntries(buckets.map(({ attribute }, index) => [toAlias(index), attribute]));

/** Returns the key of the item that contains a rate limit's counters at a given time, and the current bucket of each window. */
function locate(key: string, counted: readonly QuotaWindow[], at: number) {
  const longest = counted.at(-1);
  if (longest === undefined || counted.some(({ seconds }) => longest.seconds % seconds !== 0))
    throw new Error('Each window must divide the last one, so that no bucket is in two items');
  return {
    longest,
    itemKey: windowKey(key, longest.seconds, Math.floor(at / longest.seconds)),
    buckets: counted.map((window) => toBucket(window, at)),
  };
}

const isBelow = (name: string, limit: string) =>
  `((attribute_not_exists(#${name}) AND :${limit} > :zero) OR #${name} < :${limit})`;

/** Returns the condition under which an event is admitted, and the update that counts the event in every bucket. */
function buildCount(buckets: readonly Bucket[], unconfirmed: UnconfirmedLimit | undefined) {
  const isBelowLimit = unconfirmed
    ? [`(${isBelow('unpaid', 'unpaid_max')} OR ${isBelow(toAlias(0), 'probes')})`]
    : [];
  const counters = [...buckets.map((_, i) => toAlias(i)), ...(unconfirmed ? ['unpaid'] : [])];
  return {
    condition: [...buckets.map((_, i) => isBelow(toAlias(i), `max${i}`)), ...isBelowLimit],
    compute: counters.map((name) => `#${name} = if_not_exists(#${name}, :zero) + :one`),
    values: {
      zero: 0,
      one: 1,
      ...Object.fromEntries(buckets.map(({ max }, i) => [`max${i}`, max])),
      ...(unconfirmed && { unpaid_max: unconfirmed.max, probes: unconfirmed.probes }),
    },
  };
}

function windowOutcome(
  { done, ...attempt }: WriteOutcome,
  buckets: readonly Bucket[],
  at: number,
): WindowOutcome {
  const item = ('item' in attempt ? attempt.item : attempt.existing) ?? {};
  const counted = ({ attribute }: Bucket) => readNumber(item, attribute, 0);
  const announced = item.announced === true ? ({ announced: true } as const) : {};
  const full = buckets.filter((bucket) => counted(bucket) >= bucket.max);
  if (done)
    return {
      admitted: true,
      exhausted: full.length > 0,
      fill: Math.max(...buckets.map((bucket) => counted(bucket) / bucket.max)),
      ...announced,
    };
  // If only the limit of unconfirmed events rejected the event, it may be retried in the next bucket of the shortest window.
  const closed = full.length > 0 ? full : buckets.slice(0, 1);
  const retryAfterSeconds = Math.max(...closed.map(({ endsAt }) => endsAt - at));
  const unconfirmed = full.length > 0 ? {} : { unconfirmed: true as const };
  return { admitted: false, retryAfterSeconds, ...unconfirmed, ...announced };
}

/**
 * Creates the store of rate-limit counters. One item contains all counters of a key during its longest window, including those
 * of the shorter windows. One write therefore checks and increases all counters.
 */
export function windows(table: Table): Windows {
  return {
    async count(key, counted, at, unconfirmed) {
      const { itemKey, buckets, longest } = locate(key, counted, at);
      const { condition, compute, values } = buildCount(buckets, unconfirmed);
      const attempt = await table.tryUpdate(itemKey, {
        condition: condition.join(' AND '),
        compute,
        set: { purge_at: toBucket(longest, at).endsAt + KEPT_SECONDS },
        names: toAttributeNames(buckets),
        values,
        tokenAttribute: 'counted_by',
        counts: true,
      });
      return windowOutcome(attempt, buckets, at);
    },

    async confirm(key, longestSeconds, events, at) {
      await table.tryUpdate(windowKey(key, longestSeconds, Math.floor(at / longestSeconds)), {
        condition: '#unpaid >= :events',
        compute: ['#unpaid = #unpaid - :events'],
        values: { events },
        tokenAttribute: 'counted_by',
        counts: true,
      });
    },

    async uncount(key, counted, at) {
      const { itemKey, buckets } = locate(key, counted, at);
      const names = buckets.map((_, i) => toAlias(i));
      await table.tryUpdate(itemKey, {
        condition: names.map((name) => `#${name} >= :one`).join(' AND '),
        compute: names.map((name) => `#${name} = #${name} - :one`),
        names: toAttributeNames(buckets),
        values: { one: 1 },
        tokenAttribute: 'counted_by',
        counts: true,
      });
    },
  };
}

export function windowRecords(table: Table): WindowRecords {
  return {
    async forget(keys, longestSeconds, at) {
      const bucket = Math.floor(at / longestSeconds);
      // The item of the previous window is also removed, because items are stored for some time after their window has ended.
      const buckets = [bucket - 1, bucket];
      const places = keys.flatMap((key) => buckets.map((each) => windowKey(key, longestSeconds, each)));
      const found = await table.getAll(places);
      await Promise.all(
        found.map((item) => table.remove({ pk: readText(item, 'pk'), sk: readText(item, 'sk') })),
      );
    },

    async counted(key, quotaWindows, at) {
      const { itemKey, buckets } = locate(key, quotaWindows, at);
      const item = (await table.get(itemKey)) ?? {};
      return buckets.map(({ attribute }) => readNumber(item, attribute, 0));
    },

    async announce(key, seconds, at) {
      const current = Math.floor(at / seconds);
      await Promise.all(
        ANNOUNCED_WINDOWS.map((n) => current + n).map((each) =>
          table.update(windowKey(key, seconds, each), {
            set: { announced: true, purge_at: (each + 1) * seconds + KEPT_SECONDS },
          }),
        ),
      );
    },
  };
}
