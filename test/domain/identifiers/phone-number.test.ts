import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalisePhoneNumber } from '../../../shared/domain/identifiers/phone-number.ts';

describe('phone numbers are kept in E.164', () => {
  test.each([
    ['+12025550123', '+12025550123'],
    ['  +1 (202) 555-0123 ', '+12025550123'],
    ['+1-202-555-0123', '+12025550123'],
    ['+1.202.555.0123', '+12025550123'],
    ['+44 20 7946 0123', '+442079460123'],
    ['+44 (0) 20 7946 0123', '+442079460123'],
    ['+49 30/901820', '+4930901820'],
    ['+81 90‐1234‐5678', '+819012345678'],
    ['＋８１９０１２３４５６７８', '+819012345678'],
    ['+34 612 34 56 78', '+34612345678'],
    ['+33\u00a06\u00a012\u00a034\u00a056\u00a078', '+33612345678'],
    ['+39 06 698 12345', '+390669812345'],
  ])('%s is %s', (text, number) => {
    expect(normalisePhoneNumber(text)).toBe(number);
  });

  test('a range that no metadata knows as assigned is accepted by its length', () => {
    expect(normalisePhoneNumber('+15551234567')).toBe('+15551234567');
  });

  test.each([
    '',
    '+',
    '+1',
    '2025550123',
    '0044 20 7946 0123',
    '(+1) 202 555 0123',
    '+1202555012',
    '+1202555012345678',
    '+999 123 456 789',
    '+1 800 FLOWERS',
    '+1 202 555 0123 ext. 5',
    '+1 202 555 0123;ext=5',
    'tel:+12025550123',
    '+1 202\n555 0123',
    '+1+2025550123',
    'person@example.com',
    `+1 202 555 0123${' '.repeat(100)}`,
  ])('%j is refused', (text) => {
    expect(normalisePhoneNumber(text)).toBeUndefined();
  });

  test('every result is E.164 and its own normal form', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const typed = fc.stringMatching(/^\+[0-9 ()./-]{0,24}$/);
    fc.assert(
      fc.property(fc.oneof(typed, fc.string({ unit: 'grapheme' })), (text) => {
        const number = normalisePhoneNumber(text);
        if (number === undefined) return;
        expect(number).toMatch(/^\+[1-9][0-9]{1,14}$/);
        expect(normalisePhoneNumber(number)).toBe(number);
      }),
      { seed, numRuns: 500 },
    );
  });
});
