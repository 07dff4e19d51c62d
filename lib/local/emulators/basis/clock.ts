/**
 * The local server's clock: one offset on `Date`, forward or back to the real time. Functions, jose and the SDK read it; timers and
 * `performance` do not move.
 */
let offset = 0;
let original: DateConstructor | undefined;

/** Puts the shifted clock in place of `Date`; a second call changes nothing. */
export function installClock(): void {
  if (original !== undefined) return;
  const real = globalThis.Date;
  original = real;
  const now = () => real.now() + offset;
  globalThis.Date = new Proxy(real, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
    apply: () => new real(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
}

/** Gives `Date` back, unshifted. */
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
