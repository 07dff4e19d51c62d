import { expect, test } from '@jest/globals';
import { computeContrast, ensureContrast } from '../../../shared/domain/basis/colour.ts';

test('the contrast of two colours is computed according to WCAG 2.2', () => {
  expect(computeContrast('#000000', '#ffffff')).toBe(21);
  for (const [colour, ratio] of [
    ['#ff0000', 4],
    ['#00ff00', 1.37],
    ['#0000ff', 8.59],
  ] as const) {
    expect(computeContrast(colour, '#ffffff')).toBeCloseTo(ratio, 2);
    expect(computeContrast('#ffffff', colour)).toBeCloseTo(ratio, 2);
  }
});

test('a colour is moved towards black or white until its contrast is sufficient', () => {
  expect(ensureContrast('#ffd400', '#ffffff', 4.5)).toBe('#856e00');
  expect(ensureContrast('#2557d6', '#1a1d23', 4.5)).toBe('#6286e1');
});
