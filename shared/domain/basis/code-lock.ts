/**
 * The lock of a one-time code: the tries that its code allows are counted for each guesser, the last of them locks for a time,
 * and then the code is dead. A new code changes nothing of a lock, and begins no new count. The store writes what is decided
 * here, under a condition that it still holds.
 */

/** What the last counted try of a guesser has left. */
export interface Tried {
  /** Since the last success or lock. */
  readonly tries: number;
  /** What the code of that try allows. */
  readonly most: number;
  /** The end of the lock, if that was the last one; epoch seconds. */
  readonly until: number;
  /** The MAC of the code, which is dead then. */
  readonly code: string;
}

export const isUsedUp = ({ tries, most }: Tried): boolean => tries >= most;

export const isLocked = (tried: Tried, at: number): boolean => isUsedUp(tried) && tried.until > at;

export const triesLeftOf = (tried: Tried | undefined): number => (tried ? tried.most - tried.tries : 0);

/** Whether what one guesser has tried keeps a code from every guesser. */
export const closesCode = (tried: Tried, mac: string, at: number): boolean =>
  isLocked(tried, at) || (isUsedUp(tried) && tried.code === mac);

/**
 * The count that a try `at` (epoch seconds) begins where it cannot count on: after a lock, for another code than the one that began
 * it; and on a channel that allows fewer tries than the one before, which leaves one.
 */
export function beginningOf(
  seen: Tried,
  { mac, maxTries }: { readonly mac: string; readonly maxTries: number },
  at: number,
): { readonly code: string; readonly next: number } | undefined {
  const { tries, code } = seen;
  if (isLocked(seen, at)) return undefined;
  if (isUsedUp(seen)) return code === mac ? undefined : { code, next: 1 };
  return tries >= maxTries ? { code, next: maxTries } : undefined;
}
