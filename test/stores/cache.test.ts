import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createCache } from '../../shared/dynamo/cache.ts';

/** Creates a data source whose reads are counted and stay pending until the test calls `answer`. */
function source() {
  const waiting: ((value: string | undefined) => void)[] = [];
  return {
    load: jest.fn(() => new Promise<string | undefined>((resolve) => waiting.push(resolve))),
    answer: (index: number, value: string | undefined) => waiting[index]?.(value),
  };
}
const having = (value: string | undefined) => jest.fn(async () => value);

describe('configuration cache of a Lambda function', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_800_000_000_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const advance = (milliseconds: number) => jest.setSystemTime(Date.now() + milliseconds);

  test('the configuration cache keeps a record for 60 seconds after the start of the read', async () => {
    const cache = createCache<string>();
    const slow = source();
    const reading = cache('key', slow.load);
    advance(10_000);
    slow.answer(0, 'first');
    expect(await reading).toBe('first');
    advance(49_999);
    expect(await cache('key', having('second'))).toBe('first');
    advance(1);
    expect(await cache('key', having('second'))).toBe('second');
  });

  test('the configuration cache reads a record again after the clock was set back', async () => {
    const cache = createCache<string>();
    await cache('key', having('first'));
    advance(-1);
    expect(await cache('key', having('second'))).toBe('second');
  });

  test('the configuration cache does not store that a record is missing', async () => {
    const cache = createCache<string>();
    expect(await cache('key', having(undefined))).toBeUndefined();
    expect(await cache('key', having('made'))).toBe('made');
    expect(await cache('key', having(undefined), { fresh: true })).toBeUndefined();
    expect(await cache('key', having('made again'))).toBe('made again');
  });

  test('concurrent reads through the configuration cache cause only one store call per record', async () => {
    const cache = createCache<string>();
    const { load, answer } = source();
    const readers = Array.from({ length: 20 }, () => cache('key', load));
    answer(0, 'value');
    expect(new Set(await Promise.all(readers))).toEqual(new Set(['value']));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('a fresh read bypasses the configuration cache and then updates it', async () => {
    const cache = createCache<string>();
    await cache('key', having('old'));
    expect(await cache('key', having('new'), { fresh: true })).toBe('new');
    expect(await cache('key', having('newer'))).toBe('new');
  });

  test('a slow read does not replace a newer record in the configuration cache', async () => {
    const cache = createCache<string>();
    const { load, answer } = source();
    const slow = cache('key', load);
    const fresh = cache('key', load, { fresh: true });
    answer(1, 'new');
    expect(await fresh).toBe('new');
    answer(0, 'old');
    expect(await slow).toBe('old');
    expect(await cache('key', having('newer'))).toBe('new');
  });

  test('the configuration cache does not store a failed read', async () => {
    const cache = createCache<string>();
    const failing = async () => {
      throw new Error('busy');
    };
    await expect(cache('key', failing)).rejects.toThrow('busy');
    expect(await cache('key', having('value'))).toBe('value');
  });

  test('a full configuration cache removes the least recently used record', async () => {
    const cache = createCache<string>(2);
    await cache('a', having('a1'));
    await cache('b', having('b1'));
    await cache('a', having('a2'));
    await cache('c', having('c1'));
    expect(await cache('a', having('a2'))).toBe('a1');
    expect(await cache('c', having('c2'))).toBe('c1');
    expect(await cache('b', having('b2'))).toBe('b2');
  });
});
