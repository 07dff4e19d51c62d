import { expect, test } from '@jest/globals';
import {
  admitCaller,
  isExhausted,
  rejectWhileExhausted,
  rememberExhausted,
} from '../../../shared/domain/rate-limits/call-window.ts';
import type { WindowOutcome } from '../../../shared/ports/windows.ts';
import { someApplication, someClient, T, unique } from '../../support/server/records.ts';

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

const client = someClient({ clientId: 'shop' });
const withLimit = (callsPerMinute: number) => someApplication({ rateLimits: { callsPerMinute } });
test.each([
  [{ userId: 'ann' }, /^operator#ann$/, 600, undefined],
  [{ client, network: 'net' }, /^client#shop#net$/, 600, undefined],
  [{ client, application: withLimit(12_000) }, /^client#shop$/, 12_000, true],
  [{ client, application: withLimit(12_001) }, /^client#shop~[0-7]$/, 1501, undefined],
])(
  'the calls of %j are counted in a window per caller or per share of the limit',
  async (caller, key, max, announced) => {
    const counted: unknown[] = [];
    const count = async (...given: unknown[]) => {
      counted.push(given);
      return { admitted: true, exhausted: false, fill: 0.5, announced: true };
    };
    const admit = () => admitCaller({ windows: { count } } as never, caller, { rateLimits: 'on' }, T);
    expect(await admit()).toEqual({ announced });
    expect(counted).toEqual([[expect.stringMatching(key), [{ seconds: 60, max }], T]]);
  },
);

test('a caller is rejected until the exhausted window has ended', async () => {
  const minute = T - (T % 60);
  for (const [outcome, until] of [
    [{ admitted: false, retryAfterSeconds: 90 }, minute + 100],
    [{ admitted: true, exhausted: true, fill: 1 }, minute + 60],
  ] as const) {
    const caller = { userId: unique('user') };
    const key = `operator#${caller.userId}`;
    await admitCaller(
      windows(async () => outcome),
      caller,
      { rateLimits: 'on' },
      minute + 10,
    );
    expect(() => rejectWhileExhausted(key, until - 1)).toThrow(
      expect.objectContaining({ key: 'rate_limited', detail: { retryAfterSeconds: 1 } }),
    );
    expect(isExhausted(key, until - 1)).toBe(true);
    expect(isExhausted(key, until)).toBe(false);
    rejectWhileExhausted(key, until);
    // The container has forgotten the window, which therefore stays open if the clock is set back.
    expect(isExhausted(key, until - 1)).toBe(false);
  }
});

test('a container forgets all exhausted windows before it remembers more than 10,000', () => {
  const remember = () => {
    const key = unique('key');
    rememberExhausted(key, T + 60);
    return key;
  };
  const first = remember();
  let last = first;
  while (isExhausted(first, T)) last = remember();
  // The container remembers only the last window now.
  for (let n = 2; n <= 10_000; n += 1) remember();
  expect(isExhausted(last, T)).toBe(true);
  const next = remember();
  expect([isExhausted(last, T), isExhausted(next, T)]).toEqual([false, true]);
});
