import { describe, expect, test } from '@jest/globals';
import { LOGINS, type LoginName } from '../../lib/operator/cost/logins.ts';
import { costsOf, pricesOf, regions, type Usage } from '../../lib/operator/cost/prices.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
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
  queued: 0,
  transferBytes: 0,
};
const totalOf = (usage: Partial<Usage>, region = 'us-east-1') =>
  Object.values(costsOf({ ...nothing, ...usage }, pricesOf(region))).reduce((sum, usd) => sum + usd, 0);

(isFull ? test : test.skip)(
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

describe('costs', () => {
  test('are amounts by their prices', () => {
    expect(totalOf({})).toBe(0);
    expect(totalOf({ kmsCalls: 10_000 })).toBeCloseTo(0.03);
    expect(totalOf({ mails: 1000, writeUnits: 2_000_000 })).toBeCloseTo(0.1 + 1.25);
    // Lambda, gateway, edge and web ACL.
    expect(totalOf({ requests: 1_000_000 })).toBeCloseTo(0.2 + 1 + 1 + 0.6);
    // The bus; the forwarder; three calls of a queue, and the function of webhooks.
    expect(totalOf({ events: 1_000_000 })).toBeCloseTo(1);
    expect(totalOf({ behind: 1_000_000 })).toBeCloseTo(0.2);
    expect(totalOf({ queued: 1_000_000 })).toBeCloseTo(1.2 + 0.2);
  });

  test('are known for the region of every environment, each price with its source', () => {
    expect(regions).toEqual(expect.arrayContaining(environments().map(({ region }) => region)));
    for (const region of regions)
      for (const { usd, per, source } of Object.values(pricesOf(region))) {
        expect(usd).toBeGreaterThan(0);
        expect(per).toBeGreaterThan(0);
        expect(source).toMatch(/^https:\/\/aws\.amazon\.com\//);
      }
    expect(() => pricesOf('moon-1')).toThrow('There are no prices of moon-1');
  });
});
