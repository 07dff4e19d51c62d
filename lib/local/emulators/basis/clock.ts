// The clock of the local server. It shifts `Date`, which the functions, jose and the AWS SDK read. Timers and `performance`
// keep the real time.

/** Number of milliseconds by which the replaced `Date` is ahead of the real time. */
let offset = 0;
let original: DateConstructor | undefined;

/** Returns a `Date` constructor whose current time is ahead of the given constructor by an offset in milliseconds. */
export function shiftedDate(real: DateConstructor, getOffset: () => number): DateConstructor {
  // The original function is stored here, because a test that mocks `Date.now` and restores it writes our `now` to the real
  // `Date`. If `now` then read `real.now`, it would call itself.
  const readNow = real.now;
  const now = () => readNow() + getOffset();
  return new Proxy(real, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
    apply: () => new real(now()).toString(),
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      return value === readNow ? now : value;
    },
  });
}

/** Replaces the global `Date` with a `Date` that adds the offset to the real time. A second call has no effect. */
export function installClock(): void {
  if (original !== undefined) return;
  original = globalThis.Date;
  globalThis.Date = shiftedDate(original, () => offset);
}

/** Restores the original `Date` and resets the offset. */
export function restoreClock(): void {
  if (original !== undefined) globalThis.Date = original;
  original = undefined;
  offset = 0;
}

export function advanceClock(milliseconds: number): void {
  offset += Math.max(0, milliseconds);
}

export function returnToRealTime(): void {
  offset = 0;
}

export function clockOffset(): number {
  return offset;
}
