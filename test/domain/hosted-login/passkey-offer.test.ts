import { expect, test } from '@jest/globals';
import {
  holdsPasskey,
  mayOfferPasskey,
  withAnswer,
} from '../../../shared/domain/hosted-login/passkey-offer.ts';
import { T } from '../../support/server/records.ts';

test('a passkey is offered again exactly when the remembered answer expires', () => {
  const { value, maxAgeSeconds } = withAnswer(undefined, { userId: 'ann', has: false }, T);
  expect(mayOfferPasskey(value, 'ann', T + maxAgeSeconds - 1)).toBe(false);
  expect(mayOfferPasskey(value, 'ann', T + maxAgeSeconds)).toBe(true);
  expect(mayOfferPasskey(value, 'ben', T)).toBe(true);
  expect(holdsPasskey(value, T)).toBe(false);
});

test('a browser remembers the last answer of each user, until the longest-lived one expires', () => {
  const no = withAnswer(undefined, { userId: 'ann', has: false }, T);
  const yes = withAnswer(no.value, { userId: 'ann', has: true }, T);
  expect(yes.value.split('.')).toHaveLength(1);
  expect(holdsPasskey(yes.value, T)).toBe(true);
  const both = withAnswer(yes.value, { userId: 'ben', has: false }, T);
  expect(both.value.split('.')).toHaveLength(2);
  expect(both.maxAgeSeconds).toBe(yes.maxAgeSeconds);
});
