import { expect, test } from '@jest/globals';
import { computeContrast } from '../../../shared/domain/basis/colour.ts';

test('contrast is computed as WCAG 2.2 defines it, channel by channel', () => {
  expect(computeContrast('#000000', '#ffffff')).toBe(21);
  for (const [colour, ratio] of [
    ['#ff0000', 4],
    ['#00ff00', 1.37],
    ['#0000ff', 8.59],
  ] as const)
    expect(computeContrast(colour, '#ffffff')).toBeCloseTo(ratio, 2);
});
