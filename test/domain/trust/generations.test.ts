import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  added,
  begun,
  claimed,
  handedOver,
  isCurrent,
  isNext,
  isOver,
  isShutOut,
  stated,
  todays,
  undone,
  unproven,
} from '../../../shared/domain/trust/generations.ts';
import type { Generations } from '../../../shared/ports/trust.ts';

describe('the generations of a user', () => {
  const twice: Generations = { counting: [1, 3], last: 4 };

  test.each<[string, Generations & { generation?: number }, Generations & { generation?: number }]>([
    ['an address without a login begins none', claimed(begun), { counting: [1], last: 2, generation: 2 }],
    ['a change in a login adds one', added(twice), { counting: [1, 3, 5], last: 5, generation: 5 }],
    ['before anything is proven it adds none', added(unproven), { ...unproven, generation: 0 }],
    ['an operator lets count what the user was made with', stated(unproven), { counting: [0, 1], last: 2 }],
    ['and nothing else', stated(twice), twice],
    [
      'the first proof of a new user begins the first',
      handedOver(unproven, { generation: 1 }),
      { counting: [1], last: 2, generation: 1 },
    ],
    [
      'that of a later address one of its own',
      handedOver(twice, { generation: 4 }),
      { counting: [5], last: 5, generation: 5 },
    ],
    ['an undo brings back those before', undone(twice, [1]), { counting: [1], last: 5 }],
  ])('%s', (_title, generations, expected) => {
    expect(generations).toEqual(expected);
  });

  test.each([
    [1, { isCurrent: true, isNext: false, isShutOut: false, isOver: false }],
    [2, { isCurrent: false, isNext: false, isShutOut: true, isOver: true }],
    [3, { isCurrent: true, isNext: false, isShutOut: false, isOver: false }],
    [4, { isCurrent: false, isNext: true, isShutOut: false, isOver: true }],
  ])('of 1 and 3 counting, %s: %j', (generation, expected) => {
    const user = { generations: twice };
    const checks = { isCurrent, isNext, isShutOut, isOver };
    const found = Object.entries(checks).map(([name, check]) => [name, check(user, { generation })]);
    expect([Object.fromEntries(found), todays(user)]).toEqual([expected, 3]);
  });

  test('no number is used twice, and what is shut out comes back by an undo alone', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const steps = fc.array(fc.nat(3), { maxLength: 30 });
    const isUsedOnce = (kinds: readonly number[]) => {
      let generations: Generations = unproven;
      const used = new Set([0, 1]);
      for (const kind of kinds) {
        const { counting, last } = generations;
        const step = [claimed, added, stated, (one: Generations) => handedOver(one, { generation: last })][
          kind
        ];
        const { generation, ...next }: Generations & { generation?: number } =
          step?.(generations) ?? generations;
        const isNew = next.counting.filter((number) => !counting.includes(number));
        expect(isNew.every((number) => number > last || (number === 1 && counting.includes(0)))).toBe(true);
        if (generation !== undefined && generation > 1) {
          expect(used.has(generation)).toBe(false);
          used.add(generation);
        }
        expect(next.last).toBeGreaterThanOrEqual(Math.max(last, ...next.counting));
        if (isNew.length > 0) expect(next.last).toBeGreaterThan(last);
        generations = next;
      }
    };
    fc.assert(fc.property(steps, isUsedOnce), { seed, numRuns: 200 });
  });
});
