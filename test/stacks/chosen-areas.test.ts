import { describe, expect, test } from '@jest/globals';
import { fixedLines, sumTotals } from '../../lib/operator/preflight/fixed-sum.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { synthesized } from './support/synthesized.ts';

const all = synthesized('eu');
const core = synthesized('eu with only the core');

const countResources = ({ templates }: typeof all, type: string) =>
  Object.values(templates)
    .flatMap(({ Resources }) => Object.values(Resources))
    .filter(({ Type, Properties }) => Type === type && Properties?.Code !== undefined).length;

describe('cost and functions of an environment with only the core areas', () => {
  test('without logins, an environment costs the same with the core areas as with all areas', () => {
    expect(sumTotals(fixedLines(core.templates))).toBe(sumTotals(fixedLines(all.templates)));
  });

  test('an environment with only the core areas has 80 functions and no stack of another area', () => {
    expect(countResources(all, 'AWS::Lambda::Function')).toBeGreaterThan(160);
    expect(countResources(core, 'AWS::Lambda::Function')).toBe(80);
    const removed = Object.keys(all.templates).filter((name) => !(name in core.templates));
    expect(removed.toSorted()).toEqual(
      [
        ...['account', 'approvals', 'browser', 'code-based', 'console', 'operators', 'organizations'],
        ...['passkeys', 'social', 'webhooks'],
      ]
        .map((stack) => `otl-eu-api-${stack}`)
        .concat('otl-eu-console-edge'),
    );
  });

  test('with only the core areas, each function gets the list of areas and no console origin', () => {
    const functions = Object.values(core.templates)
      .flatMap(({ Resources }) => Object.values(Resources))
      .map(({ Properties }) => Properties?.Environment as { Variables: Record<string, string> } | undefined)
      .flatMap((environment) => (environment?.Variables.BASE_URL ? [environment.Variables] : []));
    expect(functions.length).toBeGreaterThan(70);
    for (const { AREAS, CONSOLE_ORIGIN } of functions) {
      expect(AREAS?.split(',')).toContain('one-time');
      expect(AREAS?.split(',')).not.toContain('console');
      expect(CONSOLE_ORIGIN).toBe('');
    }
  });
});

test.each([
  ['webhooks,unknown', 'There is no area unknown'],
  ['one-time, webhooks', 'OTL_AREAS_EU is not a list of areas'],
])(
  'an environment variable with an invalid list of service areas is rejected: %s',
  (OTL_AREAS_EU, message) => {
    expect(() => environments('eu', { OTL_AREAS_EU })).toThrow(message);
  },
);
