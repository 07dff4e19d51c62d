import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns the result of `work`, but not before `milliseconds` have passed, so that the response time does not reveal what
 * `work` did.
 */
export async function withMinimumDuration<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work, delay(milliseconds)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
