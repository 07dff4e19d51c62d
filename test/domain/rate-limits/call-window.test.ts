import { expect, test } from '@jest/globals';
import { admitCaller } from '../../../shared/domain/rate-limits/call-window.ts';
import type { WindowOutcome } from '../../../shared/ports/windows.ts';
import { T, unique } from '../../support/server/records.ts';

const windows = (count: () => Promise<WindowOutcome>) => ({ windows: { count } }) as never;
const spent = async () => ({ admitted: false, retryAfterSeconds: 30 }) as WindowOutcome;

test('a Lambda container rejects further calls of a caller above the rate limit without calling the store', async () => {
  const caller = { userId: unique('user') } as never;
  await admitCaller(windows(spent), caller, { rateLimits: 'on' }, T);
  const refused = () => admitCaller(windows(spent), caller, { rateLimits: 'on' }, T + 1);
  expect(refused).toThrow(expect.objectContaining({ key: 'rate_limited' }));
});

test('with rate limits off, API calls are not counted', async () => {
  let calls = 0;
  const counting = windows(() => {
    calls += 1;
    return spent();
  });
  const caller = { userId: unique('user') } as never;
  for (const at of [T, T + 1])
    expect(await admitCaller(counting, caller, { rateLimits: 'off' }, at)).toEqual({ announced: undefined });
  expect(calls).toBe(0);
});
