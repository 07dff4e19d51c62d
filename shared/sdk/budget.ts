import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The time of one request for all its calls: attempts, repetitions and time-outs together. What is over it is answered in the
 * API's own words, long before the gateway gives up.
 */

const BUDGET_MILLISECONDS = 6000;
/** For a call that begins later: what a failed login gives back. */
const GRACE_MILLISECONDS = 700;

interface Budget {
  /** By the clock of `performance.now()`. */
  readonly end: number;
  readonly patience: number;
}

const budgets = new AsyncLocalStorage<Budget>();

/** Runs a request; `patience` multiplies its time limits. A request inside another one has at most the patience of that. */
export function withinBudget<T>(patience: number, run: () => Promise<T>): Promise<T> {
  const most = Math.min(patience, budgets.getStore()?.patience ?? patience);
  return budgets.run({ end: performance.now() + most * BUDGET_MILLISECONDS, patience: most }, run);
}

export const timeIsOver = (cause?: unknown): Error =>
  Object.assign(new Error('The time of the request is over', { cause }), { name: 'TimeoutError' });

/**
 * Starts the time of one call, and returns how many milliseconds each of its attempts has left: at most `attemptMilliseconds`,
 * times the patience of the request. Errors: `TimeoutError`.
 */
export function startCall(attemptMilliseconds = Number.POSITIVE_INFINITY): () => number | undefined {
  const budget = budgets.getStore();
  if (budget === undefined) return () => undefined;
  const last = Math.max(budget.end, performance.now() + GRACE_MILLISECONDS);
  return () => {
    const left = Math.ceil(last - performance.now());
    if (left > 0) return Math.min(left, budget.patience * attemptMilliseconds);
    throw timeIsOver();
  };
}

/**
 * Runs an attempt with a signal that aborts it after so many milliseconds; undefined: never. `AbortSignal.timeout` would keep its
 * timer, and with it all that the request has called, until the time is over.
 */
export async function withinTime<T>(
  milliseconds: number | undefined,
  run: (signal?: AbortSignal) => Promise<T>,
): Promise<T> {
  if (milliseconds === undefined) return run();
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), milliseconds);
  try {
    return await run(control.signal);
  } finally {
    clearTimeout(timer);
  }
}
