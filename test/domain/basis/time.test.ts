import { expect, jest, test } from '@jest/globals';
import { nowSeconds, preciseNow, toWireDate } from '../../../shared/domain/basis/time.ts';

test('times are epoch seconds, and RFC 3339 dates with milliseconds in the API', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_500);
  expect([nowSeconds(), preciseNow()]).toEqual([1_700_000_000, 1_700_000_000.5]);
  now.mockRestore();
  expect(toWireDate(1_700_000_000)).toBe('2023-11-14T22:13:20.000Z');
});
