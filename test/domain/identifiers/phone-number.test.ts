import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  findAlternativeNumber,
  isNationalNumber,
  mayText,
  normalisePhoneNumber,
  phoneCountries,
  toE164InCountry,
} from '../../../shared/domain/identifiers/phone-number.ts';

describe('phone numbers with a calling code but without a plus sign', () => {
  test.each([
    ['4915123456789', 'DE', '+4915123456789'],
    ['49 (151) 234-56789', 'DE', '+4915123456789'],
    ['٤٩١٥١٢٣٤٥٦٧٨٩', 'DE', '+4915123456789'],
    ['55 98765-4321', 'BR', '+55987654321'],
    // No number is suggested, because these texts have only one valid reading or none.
    ['04915123456789', 'DE', undefined],
    ['15123456789', 'DE', undefined],
    ['+4915123456789', 'DE', undefined],
    ['33612345678', 'FR', undefined],
    ['12025550123', 'US', undefined],
    ['9198765432', 'IN', undefined],
    ['47123456', 'NO', undefined],
    ['4915123456789', 'FR', undefined],
    ['4915123456789', undefined, undefined],
  ])(
    'for the number %s typed without a plus sign in the country %s, the suggested international number is %s',
    (typed, country, meant) => {
      expect(findAlternativeNumber(typed, country)).toBe(meant);
    },
  );
});

describe('accepted phone numbers in E.164 format', () => {
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
    ['+८१९०१२३४५६७८', '+819012345678'],
    ['+34 612 34 56 78', '+34612345678'],
    ['+33\u00a06\u00a012\u00a034\u00a056\u00a078', '+33612345678'],
    ['+39 06 698 12345', '+390669812345'],
    ['+49 1511234567890', '+491511234567890'],
    // The digits of two Myanmar scripts follow one another.
    ['+1202555012\u{116dd}', '+12025550123'],
  ])('the phone number %s is normalised to %s', (text, number) => {
    expect(normalisePhoneNumber(text)).toBe(number);
  });

  test('a phone number of valid length is accepted even in an unknown number range', () => {
    expect(normalisePhoneNumber('+15551234567')).toBe('+15551234567');
  });

  test('a phone number may be up to 40 characters long with its separators', () => {
    const text = '+1 202 555 0123'.padEnd(40);
    expect(normalisePhoneNumber(text)).toBe('+12025550123');
    expect(normalisePhoneNumber(`${text} `)).toBeUndefined();
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
    '+4915112345678901',
    '+999 123 456 789',
    '+1 800 FLOWERS',
    '+1 202 555 0123 ext. 5',
    '+1 202 555 0123;ext=5',
    'tel:+12025550123',
    '+1 202\n555 0123',
    '+1 [202] 555 0123',
    '+1+2025550123',
    'person@example.com',
  ])('the phone number %j is rejected', (text) => {
    expect(normalisePhoneNumber(text)).toBeUndefined();
  });

  test('every normalised phone number is in E.164 format', () => {
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

describe('phone numbers in national format', () => {
  test.each([
    ['0151 / 234 567 89', 'DE', '+4915123456789'],
    ['06 698 12345', 'IT', '+390669812345'],
    ['(202) 555-0123', 'US', '+12025550123'],
    ['090-1234-5678', 'JP', '+819012345678'],
    ['０９０１２３４５６７８', 'JP', '+819012345678'],
    ['0049 30 901820', 'DE', '+4930901820'],
    ['+44 20 7946 0123', 'DE', '+442079460123'],
  ])('the phone number %s in the country %s is read as %s', (text, country, number) => {
    expect(toE164InCountry(text, country)).toBe(number);
  });

  test.each([
    ['0151 234', undefined],
    ['0151 234', ''],
    ['0151 234', 'XX'],
    ['0151 234', '__proto__'],
    ['012', 'DE'],
    ['0'.repeat(30), 'DE'],
    ['ann@example.com', 'DE'],
    ['0151 23456789 ext. 5', 'DE'],
  ])('the text %s in the country %j is not converted to a phone number', (text, country) => {
    expect(toE164InCountry(text, country)).toBe(text);
  });

  test('a text with fewer than four digits or more than 40 characters is not read as a national phone number', () => {
    const texts = ['0151 / 234', '١٢٣٤', '12-34', '1234'.padEnd(40)];
    expect(
      [...texts, '1234'.padEnd(41), '123', '+49151', 'ann4444', '', '()-- '].filter(isNationalNumber),
    ).toEqual(texts);
  });

  test('phoneCountries returns the calling codes of the countries to which SMS are sent', () => {
    expect(phoneCountries({ smsCountries: ['DE', 'US', 'XX'] })).toEqual([
      { code: 'DE', callingCode: '49' },
      { code: 'US', callingCode: '1' },
    ]);
    expect(phoneCountries({ smsCountries: 'any' }).length).toBeGreaterThan(200);
  });
  test('SMS are sent only to numbers of the configured countries', () => {
    const numbers = ['+4915123456789', '+12025550123', '+80012345678'];
    expect(numbers.filter((number) => mayText({ smsCountries: ['DE'] }, number))).toEqual([numbers[0]]);
    expect(numbers.filter((number) => mayText({ smsCountries: 'any' }, number))).toEqual(numbers);
  });
});
