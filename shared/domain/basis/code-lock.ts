// Locking of one-time codes. The attempts that a code allows are counted separately for each caller. The last failed attempt
// locks the caller for a time and invalidates the code. A new code neither lifts a lock nor resets the count. The store writes
// these decisions under the condition that its data has not changed.

/** Failed attempts of one caller at a code, as stored after the last counted attempt. */
export interface AttemptCount {
  /** Number of attempts since the last success or lock. */
  readonly tries: number;
  /** Number of attempts that the most recently tried code allows. */
  readonly maxTries: number;
  /** End of the lock, in epoch seconds. The lock applies only if no attempts are left. */
  readonly lockedUntil: number;
  /** MAC of the most recently tried code. That code is invalid once its attempts are used up. */
  readonly code: string;
}

export const hasNoAttemptsLeft = ({ tries, maxTries: most }: AttemptCount): boolean => tries >= most;

export const isLocked = (tried: AttemptCount, at: number): boolean =>
  hasNoAttemptsLeft(tried) && tried.lockedUntil > at;

export const countAttemptsLeft = (tried: AttemptCount | undefined): number =>
  tried ? tried.maxTries - tried.tries : 0;

/** Returns true if the failed attempts of one caller invalidate a code for everyone. */
export const invalidatesCode = (tried: AttemptCount, mac: string, at: number): boolean =>
  isLocked(tried, at) || (hasNoAttemptsLeft(tried) && tried.code === mac);

/**
 * Decides if the attempt at `at` (epoch seconds) starts a new count, and returns the new count. Returns undefined if the
 * attempt must be rejected, or must be added to the stored count.
 *
 * A new count starts in two cases:
 * - A lock has ended and the attempt is for another code than the last one. The count is 1.
 * - Earlier codes allowed more attempts than this code, and this code's attempts are used up. One last attempt is allowed.
 */
export function newAttemptCount(
  seen: AttemptCount,
  { mac, maxTries }: { readonly mac: string; readonly maxTries: number },
  at: number,
): { readonly code: string; readonly next: number } | undefined {
  const { tries, code } = seen;
  if (isLocked(seen, at)) return undefined;
  if (hasNoAttemptsLeft(seen)) return code === mac ? undefined : { code, next: 1 };
  return tries >= maxTries ? { code, next: maxTries } : undefined;
}
