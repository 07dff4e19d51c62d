import { describe, expect, test } from '@jest/globals';
import { costsOf, pricesOf, regions, type Usage } from '../../lib/operator/cost/prices.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';

const nothing: Usage = {
  requests: 0,
  lambdaGbSeconds: 0,
  writeUnits: 0,
  readUnits: 0,
  kmsCalls: 0,
  mails: 0,
  logBytes: 0,
  transferBytes: 0,
};
const totalOf = (usage: Partial<Usage>, region = 'us-east-1') =>
  Object.values(costsOf({ ...nothing, ...usage }, pricesOf(region))).reduce((sum, usd) => sum + usd, 0);

describe('costs', () => {
  test('are amounts by their prices', () => {
    expect(totalOf({})).toBe(0);
    expect(totalOf({ kmsCalls: 10_000 })).toBeCloseTo(0.03);
    expect(totalOf({ mails: 1000, writeUnits: 2_000_000 })).toBeCloseTo(0.1 + 1.25);
    // Lambda, gateway and edge.
    expect(totalOf({ requests: 1_000_000 })).toBeCloseTo(0.2 + 1 + 1);
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
