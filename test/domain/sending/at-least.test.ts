import { expect, test } from '@jest/globals';
import { withMinimumDuration } from '../../../shared/domain/sending/at-least.ts';

/** Returns true if the promise settles within 10 ms. */
async function settledBefore(work: Promise<unknown>): Promise<boolean> {
  const timer = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 10));
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, timer]);
}

test('N122: withMinimumDuration delays a fast result, so that the response time reveals nothing about the work', async () => {
  const answer = withMinimumDuration(50, Promise.resolve('done'));
  expect(await settledBefore(answer)).toBe(false);
  expect(await answer).toBe('done');
});

test('N122: withMinimumDuration delays a fast failure, so that the response time does not reveal the failure', async () => {
  const answer = withMinimumDuration(50, Promise.reject(new Error('failed')));
  expect(await settledBefore(answer)).toBe(false);
  await expect(answer).rejects.toThrow('failed');
});

test('withMinimumDuration also waits for work that takes longer than the minimum', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = withMinimumDuration(0, promise);
  expect(await settledBefore(answer)).toBe(false);
  resolve('late');
  expect(await answer).toBe('late');
});
