import { describe, expect, test } from '@jest/globals';
import { findPasscode, normalisePasscode } from '../../../shared/domain/credentials/typed-passcode.ts';
import { toAsciiDigits } from '../../../shared/domain/identifiers/decimal-digits.ts';

const LAST_CODE_POINT = 0x10ffff;

describe('digits of non-Latin scripts', () => {
  test('decimal digits of any script are converted to ASCII digits', () => {
    const all = Array.from({ length: LAST_CODE_POINT + 1 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => /\p{Nd}/u.test(character));
    expect(all.length).toBeGreaterThan(600);
    // Unicode lists the decimal digits of each script consecutively, from zero to nine.
    for (const [index, digit] of all.entries())
      expect([digit, toAsciiDigits(digit)]).toEqual([digit, String(index % 10)]);
  });

  test.each(['٤٨٢٩١٣', '۴۸۲۹۱۳', '४८२९१३', '４８２９１３', '𝟒𝟖𝟐𝟗𝟏𝟑'])(
    'the passcode %s in digits of another script is read as 482913',
    (typed) => {
      expect(normalisePasscode(typed)).toBe('482913');
      expect(findPasscode(typed, 6)).toBe('482913');
    },
  );
});

describe('passcode typed or pasted by a user', () => {
  test.each([
    ...['482 913', ' 482913\n', '482-913', '482–913', '482—913', '482−913', '482.913', '482·913'],
    ...['4 8 2 9 1 3', '\u2066482913\u2069', '482\u00a0913', '482．913'],
  ])('the typed text %j is read as the passcode 482913', (typed) => {
    expect(normalisePasscode(typed)).toBe('482913');
    expect(findPasscode(typed, 6)).toBe('482913');
  });

  test.each([
    'Your Shop 24 code: 482913',
    '482913 is your code for Shop 2024. Do not share it.',
    'Shop 2024. 482-913 is your code.',
    'Shop 2024: 482 913',
    'Shop 2024 482-913',
    'Use 482.913.',
    '٤٨٢٩١٣ هو رمزك في Shop 24',
    'Your codes: 111111, then 482913',
  ])('the passcode 482913 is found in the pasted message %j', (message) => {
    expect(findPasscode(message, 6)).toBe('482913');
  });

  test.each(['', '48291', '4829131', 'x482913', 'no code'])(
    'the typed text %j is rejected as a passcode',
    (typed) => {
      expect(normalisePasscode(typed)).not.toBe('482913');
    },
  );

  test('two passcodes that are typed one after the other are not read as the last one', () => {
    expect(findPasscode('111111 482913', 6)).toBe('111111482913');
  });
});
