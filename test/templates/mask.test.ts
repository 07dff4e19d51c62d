import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maskEmail, maskPhoneNumber } from '../../shared/templates/mask.ts';

describe('N121 masked addresses', () => {
  test.each([
    ['dana@example.com', 'd•••@e•••.com'],
    ['d@example.com', 'd•••@e•••.com'],
    ['dana.with.a.long.name+tag@e.com', 'd•••@e•••.com'],
    ['dana@mail.example.co.uk', 'd•••@m•••.uk'],
    ['Ünal@exämple.de', 'Ü•••@e•••.de'],
    ['"dana@home"@example.com', '••••@e•••.com'],
    ['dana@localhost', 'd•••@l•••'],
    ['dana@[192.0.2.1]', 'd•••@••••'],
    ['山田@例え.テスト', '山•••@例•••.テスト'],
    ['\u202edana@example.com', 'd•••@e•••.com'],
    ['not an address', '•••'],
    ['@example.com', '•••'],
    ['', '•••'],
  ])('N121 the email address %s is masked as %s', (address, masked) => {
    expect(maskEmail(address)).toBe(masked);
  });

  test.each([
    ['+14155550123', '••• ••• ••23'],
    ['+4930123456', '••• ••• ••56'],
    ['+1 (415) 555-0199', '••• ••• ••99'],
    ['+1234', '••• ••• ••••'],
    ['', '••• ••• ••••'],
  ])('N121 the phone number %s is masked as %s', (phoneNumber, masked) => {
    expect(maskPhoneNumber(phoneNumber)).toBe(masked);
  });

  test('N121 a masked email address does not reveal the length of the address', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const letters = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
      minLength: 1,
    });
    const local = letters.map((rest) => `d${rest}`);
    const domain = letters.map((rest) => `e${rest}.com`);
    fc.assert(
      fc.property(local, domain, (left, right) => {
        expect(maskEmail(`${left}@${right}`)).toBe('d•••@e•••.com');
      }),
      { seed },
    );
  });
});
