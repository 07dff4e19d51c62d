import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  acceptInitialAddresses,
  addGeneration,
  currentGeneration,
  hasEnded,
  hasValidGeneration,
  isSuperseded,
  PROVEN_GENERATIONS,
  reserveGeneration,
  restoreGenerations,
  startsNewGeneration,
  supersedeEarlierGenerations,
  UNPROVEN_GENERATIONS,
} from '../../../shared/domain/trust/generations.ts';
import type { Generations } from '../../../shared/ports/trust.ts';

describe("generations of a user's credentials", () => {
  const twice: Generations = { valid: [1, 3], highest: 4 };

  test.each<[string, Generations & { generation?: number }, Generations & { generation?: number }]>([
    [
      'an address set without a login reserves a generation that is not valid yet',
      reserveGeneration(PROVEN_GENERATIONS),
      { valid: [1], highest: 2, generation: 2 },
    ],
    [
      'a change during a login adds a valid generation',
      addGeneration(twice),
      { valid: [1, 3, 5], highest: 5, generation: 5 },
    ],
    [
      'a change before the first proof adds no generation',
      addGeneration(UNPROVEN_GENERATIONS),
      { ...UNPROVEN_GENERATIONS, generation: 0 },
    ],
    [
      'an address that an operator sets as verified makes the initial generation valid',
      acceptInitialAddresses(UNPROVEN_GENERATIONS),
      { valid: [0, 1], highest: 2 },
    ],
    [
      'an address that an operator sets as verified makes no later generation valid',
      acceptInitialAddresses(twice),
      twice,
    ],
    [
      'the first proof of a new user starts the first generation',
      supersedeEarlierGenerations(UNPROVEN_GENERATIONS, { generation: 1 }),
      { valid: [1], highest: 2, generation: 1 },
    ],
    [
      'the proof of an address that was set later starts a new generation',
      supersedeEarlierGenerations(twice, { generation: 4 }),
      { valid: [5], highest: 5, generation: 5 },
    ],
    ['an undo restores the earlier generations', restoreGenerations(twice, [1]), { valid: [1], highest: 5 }],
  ])(
    'changing and verifying addresses determines which credential generations are valid: %s',
    (_title, generations, expected) => {
      expect(generations).toEqual(expected);
    },
  );

  test.each([
    [1, { hasValidGeneration: true, startsNewGeneration: false, isSuperseded: false, hasEnded: false }],
    [2, { hasValidGeneration: false, startsNewGeneration: false, isSuperseded: true, hasEnded: true }],
    [3, { hasValidGeneration: true, startsNewGeneration: false, isSuperseded: false, hasEnded: false }],
    [4, { hasValidGeneration: false, startsNewGeneration: true, isSuperseded: false, hasEnded: true }],
  ])(
    'if the valid credential generations are 1 and 3, generation %s has the properties %j',
    (generation, expected) => {
      const user = { generations: twice };
      const checks = {
        hasValidGeneration,
        startsNewGeneration,
        isSuperseded,
        hasEnded,
      };
      const found = Object.entries(checks).map(([name, check]) => [name, check(user, { generation })]);
      expect([Object.fromEntries(found), currentGeneration(user)]).toEqual([expected, 3]);
    },
  );

  test('no two credential generations of a user have the same number', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const steps = fc.array(fc.nat(3), { maxLength: 30 });
    const isUsedOnce = (kinds: readonly number[]) => {
      let generations: Generations = UNPROVEN_GENERATIONS;
      const used = new Set([0, 1]);
      for (const kind of kinds) {
        const { valid, highest } = generations;
        const step = [
          reserveGeneration,
          addGeneration,
          acceptInitialAddresses,
          (one: Generations) => supersedeEarlierGenerations(one, { generation: highest }),
        ][kind];
        const { generation, ...next }: Generations & { generation?: number } =
          step?.(generations) ?? generations;
        const isNew = next.valid.filter((number) => !valid.includes(number));
        expect(isNew.every((number) => number > highest || (number === 1 && valid.includes(0)))).toBe(true);
        if (generation !== undefined && generation > 1) {
          expect(used.has(generation)).toBe(false);
          used.add(generation);
        }
        expect(next.highest).toBeGreaterThanOrEqual(Math.max(highest, ...next.valid));
        if (isNew.length > 0) expect(next.highest).toBeGreaterThan(highest);
        generations = next;
      }
    };
    fc.assert(fc.property(steps, isUsedOnce), { seed, numRuns: 200 });
  });
});
