import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast, readableOn, standingOut } from '../../../shared/templates/colour.ts';
import { brandMark, themeOf } from '../../../shared/templates/parts/brand.ts';

const CARDS = { light: '#ffffff', dark: '#1a1d23' };
const coloursOf = (theme: string, name: string) =>
  [...theme.matchAll(new RegExp(`--${name}:(#[0-9a-f]{6})`, 'g'))].map(([, colour = '']) => colour);

describe('the colour of a brand', () => {
  test('computes contrast by WCAG 2.2', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
    expect(contrast('#ffffff', '#777777')).toBeCloseTo(4.478, 2);
  });

  test('keeps a colour with enough contrast', () => {
    expect(standingOut('#2557d6', '#ffffff', 4.5)).toBe('#2557d6');
    expect(standingOut('#ffd400', CARDS.dark, 4.5)).toBe('#ffd400');
  });

  test('every colour: readable texts on and beside it, a visible button, light and dark', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (...channels) => {
        const primaryColor = `#${channels.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
        const theme = themeOf({ name: 'Northwind', primaryColor });
        expect(coloursOf(theme, 'accent')).toEqual([primaryColor, primaryColor]);
        expect(contrast(readableOn(primaryColor), primaryColor)).toBeGreaterThanOrEqual(4.5);
        for (const [at, card] of [CARDS.light, CARDS.dark].entries()) {
          expect(contrast(coloursOf(theme, 'accent-ink')[at] ?? '', card)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(coloursOf(theme, 'accent-edge')[at] ?? '', card)).toBeGreaterThanOrEqual(3);
        }
      }),
      {
        seed,
        numRuns: 500,
        examples: [
          [255, 255, 255],
          [0, 0, 0],
          [119, 119, 119],
          [255, 212, 0],
        ],
      },
    );
  });

  test.each([undefined, '', 'red', '#12345', '#1234567', 'url(x)', '#fff}*{'])(
    '%j is no colour',
    (colour) => {
      expect(themeOf({ name: 'Northwind', primaryColor: colour })).toBe('');
    },
  );

  test('three digits are a colour', () => {
    expect(themeOf({ name: 'Northwind', primaryColor: '#FD0' })).toContain('--accent:#ffdd00;');
  });
});

describe('the mark of a brand', () => {
  test('the first grapheme, on the colour of the brand', () => {
    expect(brandMark({ name: 'étoile', primaryColor: '#ffd400' })).toMatch(
      /fill="#ffd400"\/><text [^>]*fill="#000000">É<\/text>/,
    );
    expect(brandMark({ name: '👩‍💻 Builds' })).toContain('>👩‍💻</text>');
  });

  test('one name has one colour', () => {
    expect(brandMark({ name: 'Northwind' })).toBe(brandMark({ name: 'Northwind' }));
    expect(brandMark({ name: 'Northwind' })).not.toBe(brandMark({ name: 'Southwind' }));
  });

  test('is empty without a brand', () => {
    expect([brandMark(undefined), brandMark({ name: ' \n' })]).toEqual(['', '']);
  });
});
