import { expect, test } from '@jest/globals';
import { FIXED_PRICES } from '../../lib/operator/cost/fixed-sum.ts';
import { LOGINS, type LoginName } from '../../lib/operator/cost/logins.ts';
import { costsOf, PRICES, type Usage } from '../../lib/operator/cost/prices.ts';
import { hasJava } from '../support/server/store.ts';
import { isFull } from '../support/tools/full-run.ts';

const nothing: Usage = {
  requests: 0,
  lambdaGbSeconds: 0,
  writeUnits: 0,
  readUnits: 0,
  kmsCalls: 0,
  mails: 0,
  logBytes: 0,
  behind: 0,
  events: 0,
};
const totalOf = (usage: Partial<Usage>) =>
  [...costsOf({ ...nothing, ...usage }).values()].reduce((sum, usd) => sum + usd, 0);

(isFull && hasJava() ? test : test.skip)(
  'the sizing page knows what a login uses',
  async () => {
    const { measureUsage } = await import('./cost/measure.ts');
    const measured = await measureUsage();
    expect(measured.map(({ flow }) => flow.name)).toEqual(Object.keys(LOGINS));
    for (const { flow, usage } of measured) {
      const { logBytes, lambdaGbSeconds, ...counts } = LOGINS[flow.name as LoginName];
      expect(usage).toMatchObject(counts);
      expect(Math.abs(usage.logBytes / logBytes - 1)).toBeLessThan(0.1);
      expect(Math.abs(usage.lambdaGbSeconds / lambdaGbSeconds - 1)).toBeLessThan(0.1);
    }
  },
  120_000,
);

test('costs are amounts by their prices', () => {
  expect(totalOf({})).toBe(0);
  expect(totalOf({ kmsCalls: 10_000 })).toBeCloseTo(0.03);
  expect(totalOf({ mails: 1000, writeUnits: 2_000_000 })).toBeCloseTo(0.1 + 1.25);
  // Lambda, gateway and web ACL.
  expect(totalOf({ requests: 1_000_000 })).toBeCloseTo(0.2 + 1 + 0.6);
  expect(totalOf({ events: 1_000_000 })).toBeCloseTo(1);
  expect(totalOf({ behind: 1_000_000 })).toBeCloseTo(0.2);
});

test('each price has a page of AWS and a month', () => {
  for (const { usd, source, read } of [...FIXED_PRICES, ...PRICES]) {
    expect(usd).toBeGreaterThan(0);
    expect(source).toMatch(/^https:\/\/aws\.amazon\.com\/.+\/pricing\//);
    expect(read).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  }
});
