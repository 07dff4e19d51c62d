import { setTimeout as delay } from 'node:timers/promises';

/**
 * Settles with the work, but not before so many milliseconds: the time of the answer does not reveal what was done.
 */
export async function atLeast<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work, delay(milliseconds)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
