import { AsyncLocalStorage } from 'node:async_hooks';

// Time limit of one request for all its AWS calls, including retries and time-outs. If the limit is exceeded, the caller gets
// an error response of the API, long before the gateway times out.

const BUDGET_MILLISECONDS = 6000;
/** Milliseconds for calls that begin after the budget is exhausted, such as restoring a credential after a failed login. */
const GRACE_MILLISECONDS = 700;

interface Budget {
  /** Deadline in milliseconds on the clock of `performance.now()`. */
  readonly end: number;
  readonly timeoutMultiplier: number;
}

const budgets = new AsyncLocalStorage<Budget>();

/**
 * Runs a request with a time budget. The timeout multiplier of a nested request cannot exceed that of the outer request.
 * @param timeoutMultiplier Factor for the time limits of the request
 */
export function withinBudget<T>(timeoutMultiplier: number, run: () => Promise<T>): Promise<T> {
  const most = Math.min(timeoutMultiplier, budgets.getStore()?.timeoutMultiplier ?? timeoutMultiplier);
  return budgets.run({ end: performance.now() + most * BUDGET_MILLISECONDS, timeoutMultiplier: most }, run);
}

export const budgetExhaustedError = (cause?: unknown): Error =>
  Object.assign(new Error('The time budget of the request is exhausted', { cause }), {
    name: 'TimeoutError',
  });

/**
 * Starts a call. Returns a function that computes the time limit of each attempt in milliseconds: at most `attemptMilliseconds`
 * times the request's timeout multiplier, and no more than the rest of the budget. Errors: `TimeoutError` if the budget is used
 * up.
 */
export function startCall(attemptMilliseconds = Number.POSITIVE_INFINITY): () => number | undefined {
  const budget = budgets.getStore();
  if (budget === undefined) return () => undefined;
  const last = Math.max(budget.end, performance.now() + GRACE_MILLISECONDS);
  return () => {
    const left = Math.ceil(last - performance.now());
    if (left > 0) return Math.min(left, budget.timeoutMultiplier * attemptMilliseconds);
    throw budgetExhaustedError();
  };
}

/**
 * Runs an attempt with a signal that aborts it after the given milliseconds. Undefined means no limit. `AbortSignal.timeout` is
 * not used, because it would keep its timer, and everything that the request has called, in memory until the time is over.
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
