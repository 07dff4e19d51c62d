import { expect, test } from '@jest/globals';
import { failureKey, failuresPartitions, listSort } from '../../shared/dynamo/keys.ts';

// Compares stored keys with literal values, because a new release must find the items of earlier releases.

test('a list key begins with the time in twelve digits', () => {
  expect(listSort(1_764_500_000, 'id')).toBe('001764500000#id');
});

test('a failed message is stored in a shard that depends only on its event ID', () => {
  const time = '2026-11-28T09:30:00.000Z';
  const shards = ['a', 'b', 'ab'].map((id) => failureKey('tenant', time, id));
  const count = failuresPartitions('tenant').length;
  expect(shards).toEqual(
    [97, 98, 97 + 98].map((sum, n) => ({
      pk: `messages#failures#tenant#${sum % count}`,
      sk: `${time}#${['a', 'b', 'ab'][n]}`,
    })),
  );
});
