import { expect, test } from '@jest/globals';
import { seal, unseal } from '../../../shared/domain/basis/sealing.ts';

test('a sealed text can be unsealed only with its secret and purpose', () => {
  for (const plain of ['plain text é', '']) {
    const sealed = seal('secret', 'purpose', plain);
    expect(unseal('secret', 'purpose', sealed)).toBe(plain);
    expect(unseal('other', 'purpose', sealed)).toBeUndefined();
    expect(unseal('secret', 'other', sealed)).toBeUndefined();
    for (let length = 0; length < sealed.length; length += 1)
      expect(unseal('secret', 'purpose', sealed.slice(0, length))).toBeUndefined();
  }
});

test('a text that an earlier version has sealed can still be unsealed', () => {
  const sealed = '339KObOCyZt98CTXCkPfHEBK826jbAWGc8F1DjHCm0UPbWM4O0yl_vQ';
  expect(unseal('secret', 'purpose', sealed)).toBe('plain text é');
});
