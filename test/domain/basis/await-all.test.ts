import { describe, expect, test } from '@jest/globals';
import { awaitAll, inBatches } from '../../../shared/domain/basis/await-all.ts';

describe('processing many tasks with limited concurrency', () => {
  test.each([0, 1, 19, 20, 21, 45])(
    'inBatches handles each of %i items once and at most 20 items at a time',
    async (count) => {
      const all = Array.from({ length: count }, (_, index) => index);
      const done: number[] = [];
      let [underWay, most] = [0, 0];
      await inBatches(all, 20, async (one) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        done.push(one);
      });
      expect(done).toEqual(all);
      expect(most).toBe(Math.min(count, 20));
    },
  );

  test('after a task has failed, inBatches finishes running tasks but starts no others', async () => {
    const done: number[] = [];
    const act = async (one: number) => {
      if (one % 2 === 0) throw new Error(`of ${one}`);
      await new Promise(setImmediate);
      done.push(one);
    };
    await expect(inBatches([1, 2, 3, 4, 5], 4, act)).rejects.toThrow('of 2');
    expect(done).toEqual([1, 3]);
  });
});

test('awaitAll returns the results in the order of the promises', async () => {
  expect(await awaitAll(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
});
