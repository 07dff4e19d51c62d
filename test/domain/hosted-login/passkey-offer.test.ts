import { expect, test } from '@jest/globals';
import {
  hasUsedPasskey,
  mayOfferPasskey,
  withOfferAnswer,
} from '../../../shared/domain/hosted-login/passkey-offer.ts';
import { T } from '../../support/server/records.ts';

test("a user who declined a passkey is asked again after the browser's record of the answer has expired", () => {
  const { value, maxAgeSeconds } = withOfferAnswer(undefined, { userId: 'ann', has: false }, T);
  expect(mayOfferPasskey(value, 'ann', T + maxAgeSeconds - 1)).toBe(false);
  expect(mayOfferPasskey(value, 'ann', T + maxAgeSeconds)).toBe(true);
  expect(mayOfferPasskey(value, 'ben', T)).toBe(true);
  expect(hasUsedPasskey(value, T)).toBe(false);
});

test('a browser stores only the latest answer of each user to the passkey offer', () => {
  const no = withOfferAnswer(undefined, { userId: 'ann', has: false }, T);
  const yes = withOfferAnswer(no.value, { userId: 'ann', has: true }, T);
  expect(yes.value.split('.')).toHaveLength(1);
  expect(hasUsedPasskey(yes.value, T)).toBe(true);
  const both = withOfferAnswer(yes.value, { userId: 'ben', has: false }, T);
  expect(both.value.split('.')).toHaveLength(2);
  expect(both.maxAgeSeconds).toBe(yes.maxAgeSeconds);
});
