// Locking of one-time codes. The tries that a code allows are counted separately for each guesser. The last failed try locks
// the guesser for a time and invalidates the code. A new code neither lifts a lock nor resets the count. The store writes these
// decisions under the condition that its data has not changed.

/** Failed tries of one guesser, as stored after the last counted try. */
export interface TryCount {
  /** Number of tries since the last success or lock. */
  readonly tries: number;
  /** Number of tries that the code of the last try allows. */
  readonly maxTries: number;
  /** End of the lock, in epoch seconds. It applies only if no tries are left. */
  readonly lockedUntil: number;
  /** MAC of the code of the last try. That code is invalid once the tries are used up. */
  readonly code: string;
}

export const hasNoTriesLeft = ({ tries, maxTries: most }: TryCount): boolean => tries >= most;

export const isLocked = (tried: TryCount, at: number): boolean =>
  hasNoTriesLeft(tried) && tried.lockedUntil > at;

export const countTriesLeft = (tried: TryCount | undefined): number =>
  tried ? tried.maxTries - tried.tries : 0;

/** Returns true if the tries of one guesser make a code invalid for everyone. */
export const invalidatesCode = (tried: TryCount, mac: string, at: number): boolean =>
  isLocked(tried, at) || (hasNoTriesLeft(tried) && tried.code === mac);

/**
 * Returns the new count that a try at `at` (epoch seconds) starts, or undefined if the try continues the present count or is
 * refused. A new count starts for another code after a lock has ended. It also starts if this code allows no more tries than
 * were made for an earlier code: this try is then the last one.
 */
export function beginTryCount(
  seen: TryCount,
  { mac, maxTries }: { readonly mac: string; readonly maxTries: number },
  at: number,
): { readonly code: string; readonly next: number } | undefined {
  const { tries, code } = seen;
  if (isLocked(seen, at)) return undefined;
  if (hasNoTriesLeft(seen)) return code === mac ? undefined : { code, next: 1 };
  return tries >= maxTries ? { code, next: maxTries } : undefined;
}
