import { expect, test } from '@jest/globals';
import {
  countSmsBudget,
  readSmsBudget,
  withinSmsBudget,
} from '../../../shared/domain/rate-limits/sms-budget.ts';
import { someTenant, T } from '../../support/server/records.ts';

const tenant = someTenant({ tenantId: 'tenant' });
const KEY = 'sms-tenant#tenant';
const WINDOWS = [
  { seconds: 86_400, max: 2000 },
  { seconds: 30 * 86_400, max: 20_000 },
];
const admitted = { admitted: true, exhausted: false, fill: 0.5 };
const rejected = { admitted: false, retryAfterSeconds: 7200 };

function harness(outcome: object) {
  const [calls, audited]: [unknown[], unknown[]] = [[], []];
  const note =
    (name: string, answer?: object) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return answer;
    };
  const ports = { windows: { count: note('count', outcome), uncount: note('uncount') } } as never;
  const audit = (context: object) => audited.push(context);
  const settings = { rateLimits: 'on' } as const;
  const spender = { tenant, channel: 'sms', toUnknownNumber: false, settings, audit, now: T };
  return { calls, audited, ports, spender };
}

test.each([
  [false, WINDOWS, 50, 100],
  [true, WINDOWS.map(({ seconds, max }) => ({ seconds, max: 0.8 * max })), 40, 80],
])(
  'an SMS is charged to the budget of its tenant (to an unknown number: %s)',
  async (toUnknownNumber, windows, used, full) => {
    const { calls, audited, ports, spender } = harness(admitted);
    await countSmsBudget(ports, { ...spender, toUnknownNumber });
    expect([calls, audited]).toEqual([[['count', KEY, windows, T]], [{ smsBudgetPercent: used }]]);

    const over = harness(rejected);
    await expect(countSmsBudget(over.ports, { ...over.spender, toUnknownNumber })).rejects.toMatchObject({
      key: 'rate_limited',
      detail: { retryAfterSeconds: 3600, audit: { refusal: 'sms_budget', retryAfterSeconds: 7200 } },
    });
    expect(over.audited).toEqual([{ smsBudgetPercent: full }, { smsGuard: 'budget' }]);
  },
);

test('only messages that are billed are charged, and only with rate limits on', async () => {
  const { calls, audited, ports, spender } = harness(admitted);
  await countSmsBudget(ports, { ...spender, channel: 'email' });
  await countSmsBudget(ports, { ...spender, settings: { rateLimits: 'off' } });
  expect([calls, audited]).toEqual([[], []]);
});

test('an SMS that is not sent is returned to the budget', async () => {
  const { calls, ports, spender } = harness(admitted);
  await expect(withinSmsBudget(ports, spender, Promise.reject(new Error('not sent')))).rejects.toThrow(
    'not sent',
  );
  expect(calls).toEqual([
    ['count', KEY, WINDOWS, T],
    ['uncount', KEY, WINDOWS, T],
  ]);
  const free = harness(admitted);
  const failed = Promise.reject(new Error('not sent'));
  await expect(withinSmsBudget(free.ports, { ...free.spender, channel: 'email' }, failed)).rejects.toThrow();
  expect(free.calls).toEqual([]);
});

test('work above the budget is rejected with its own error, or else with that of the budget', async () => {
  const { calls, ports, spender } = harness(rejected);
  await expect(withinSmsBudget(ports, spender, Promise.reject(new Error('not sent')))).rejects.toThrow(
    'not sent',
  );
  await expect(withinSmsBudget(ports, spender, Promise.resolve())).rejects.toMatchObject({
    key: 'rate_limited',
  });
  expect(calls.map((call) => (call as unknown[])[0])).toEqual(['count', 'count']);
});

test('the budget of a tenant is reported with its use', async () => {
  const counted = async () => [7, 70];
  expect(await readSmsBudget({ windowRecords: { counted } } as never, tenant, T)).toEqual([
    { limit: 'sms_per_day', used: 7, of: 2000 },
    { limit: 'sms_per_30_days', used: 70, of: 20_000 },
  ]);
});
