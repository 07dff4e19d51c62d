import { DIRECTORY_CACHE_MAX, DIRECTORY_CACHE_SECONDS } from '../domain/basis/limits.ts';
import type { ReadOptions } from '../ports/directory.ts';

const MILLISECONDS = 1000;

interface Entry<T> {
  readonly value: T;
  readonly readAt: number;
}

/** Returns true if a value was read less than a minute ago, and not in the future because the clock was set back. */
function isCurrent({ readAt }: Entry<unknown>): boolean {
  const age = Date.now() - readAt;
  return age >= 0 && age < DIRECTORY_CACHE_SECONDS * MILLISECONDS;
}

export type Cache<T> = (
  key: string,
  load: () => Promise<T | undefined>,
  options?: ReadOptions,
) => Promise<T | undefined>;

/**
 * Creates a cache that keeps values for a minute and evicts the least recently used value. Missing values are not cached,
 * because callers could fill the cache with them, and because a new record must be found immediately. Concurrent reads of the
 * same key share one call.
 */
export function createCache<T>(max = DIRECTORY_CACHE_MAX): Cache<T> {
  const entries = new Map<string, Entry<T>>();
  const pending = new Map<string, Promise<T | undefined>>();

  function store(key: string, value: T | undefined, readAt: number): void {
    entries.delete(key);
    if (value === undefined) return;
    entries.set(key, { value, readAt });
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  }

  function read(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const readAt = Date.now();
    const call: Promise<T | undefined> = load()
      .then((value) => {
        // A slow read must not replace the result of a read that started later.
        if (pending.get(key) === call) store(key, value, readAt);
        return value;
      })
      .finally(() => {
        if (pending.get(key) === call) pending.delete(key);
      });
    pending.set(key, call);
    return call;
  }

  return async (key, load, options) => {
    if (options?.fresh) return read(key, load);
    const entry = entries.get(key);
    if (!entry || !isCurrent(entry)) return pending.get(key) ?? read(key, load);
    entries.delete(key);
    entries.set(key, entry);
    return entry.value;
  };
}
