import { describe, expect, test } from '@jest/globals';
import {
  countSmsPrefix,
  countSmsPrefixInParallel,
  creditRange,
  forgetSmsPrefix,
  toSmsPrefix,
} from '../../../shared/domain/rate-limits/sms-prefix-window.ts';
import { someApplication, T } from '../../support/server/records.ts';

const NUMBER = '+12128675555';
const RANGE = '+1212867';
const over = { admitted: false, retryAfterSeconds: 600 };
const LIMITS = [
  { seconds: 3600, max: 60 },
  { seconds: 86_400, max: 300 },
];

/** Creates an application with its own ranges, and a store that answers each count with `outcome`. */
function harness(outcome: object, rateLimits = {}) {
  const [calls, audited]: [unknown[], unknown[]] = [[], []];
  const application = someApplication({ rateLimits });
  const noting =
    (name: string, answer?: object) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return answer;
    };
  const windows = { count: noting('count', outcome), confirm: noting('confirm') };
  const ports = { windows, windowRecords: { forget: noting('forget') } } as never;
  const audit = (context: object) => audited.push(context);
  const sender = (now = T, settings: 'on' | 'off' = 'on') =>
    ({ application, settings: { rateLimits: settings }, now, audit }) as const;
  const send = (now?: number, number: string | undefined = NUMBER) =>
    countSmsPrefix(ports, sender(now), number);
  const key = `sms-prefix#${application.applicationId}#${RANGE}`;
  return { calls, audited, ports, sender, send, key };
}
const refusal = (retryAfterSeconds: number) => ({
  key: 'rate_limited',
  detail: { retryAfterSeconds, audit: { refusal: 'sms_range' } },
});

describe('SMS limits of ranges of phone numbers', () => {
  test('an SMS is counted by the first seven digits of its number', async () => {
    expect(toSmsPrefix(NUMBER)).toBe(RANGE);
    const { calls, audited, ports, sender, send, key } = harness({ admitted: true });
    await send();
    await countSmsPrefix(ports, sender(), undefined);
    await countSmsPrefix(ports, sender(T, 'off'), NUMBER);
    expect([calls, audited]).toEqual([[['count', key, LIMITS, T, { max: 40, probes: 2 }]], []]);
  });

  test.each([
    ['range', over],
    ['unverified', { ...over, unconfirmed: true }],
  ])('a range over its limit is remembered for a minute (reason: %s)', async (smsGuard, outcome) => {
    const { calls, audited, send } = harness(outcome);
    await expect(send()).rejects.toMatchObject(refusal(600));
    await expect(send(T + 59)).rejects.toMatchObject(refusal(541));
    expect([calls.length, audited]).toEqual([1, [{ smsGuard }, { smsGuard }]]);
    await expect(send(T + 60)).rejects.toMatchObject(refusal(600));
    expect(calls).toHaveLength(2);
  });

  test('with smsDryRun, an SMS over the limit is only logged', async () => {
    const { calls, audited, send } = harness(over, { smsDryRun: true });
    for (const now of [T, T + 1]) await send(now);
    expect([calls.length, audited]).toEqual([2, [{ smsGuard: 'range' }, { smsGuard: 'range' }]]);
  });

  test('an SMS is counted while it is sent unless its range is known to be over the limit', async () => {
    const { calls, audited, ports, sender } = harness(over);
    const send = (now: number) => countSmsPrefixInParallel(ports, sender(now), RANGE);
    await (await send(T)).counting;
    expect([calls.length, audited]).toEqual([1, [{ smsGuard: 'range' }]]);
    await expect(send(T + 59)).rejects.toMatchObject(refusal(541));
    expect(calls).toHaveLength(1);
    await expect(send(T + 60)).rejects.toMatchObject(refusal(600));
    expect(calls).toHaveLength(2);
    await (await send(T + 660)).counting;
    expect(calls).toHaveLength(3);
    for (const nothing of [
      countSmsPrefixInParallel(ports, sender(), undefined),
      countSmsPrefixInParallel(ports, sender(T, 'off'), RANGE),
    ])
      await (await nothing).counting;
    expect(calls).toHaveLength(3);
  });

  test('a container forgets all ranges before it remembers more than 10,000', async () => {
    const { calls, send } = harness(over);
    let next = 0;
    const refuse = async (number: string) => {
      const before = calls.length;
      await send(T, number).catch(() => {});
      return calls.length === before ? 'remembered' : 'counted';
    };
    const refuseNext = async () => {
      next += 1;
      const number = `+${String(next).padStart(7, '0')}`;
      await refuse(number);
      return number;
    };
    const first = await refuseNext();
    let last = first;
    while ((await refuse(first)) === 'remembered') last = await refuseNext();
    // The container remembers two ranges now: the last one and the first one.
    for (let n = 3; n <= 10_000; n += 1) await refuseNext();
    expect(await refuse(last)).toBe('remembered');
    await refuseNext();
    expect(await refuse(last)).toBe('counted');
  });

  test('a code that was entered raises the limit of its range, and an operator can clear the limit', async () => {
    const { calls, ports, sender, key } = harness(over);
    await creditRange(ports, sender(), { smsPrefix: RANGE });
    await creditRange(ports, sender(), {});
    await creditRange(ports, sender(T, 'off'), { smsPrefix: RANGE });
    await forgetSmsPrefix(ports, sender().application.applicationId, NUMBER, T);
    expect(calls).toEqual([
      ['confirm', key, 86_400, 4, T],
      ['forget', [key], 86_400, T],
    ]);
  });
});
