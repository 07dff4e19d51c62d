import { setTimeout as delay } from 'node:timers/promises';

/** Waits for `work` to settle and for at least `milliseconds`, so that the response time does not reveal what was done. */
export async function settleAfter<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work, delay(milliseconds)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
