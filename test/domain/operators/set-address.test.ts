import { expect, test } from '@jest/globals';
import { buildOperatorChangeTerms } from '../../../shared/domain/operators/set-address.ts';
import { NEVER } from '../../../shared/domain/users/pending-recovery.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someAddress, someTenant, someUser, T } from '../../support/server/records.ts';

const DAY = 86_400;
const email = someAddress('ann@example.com');
const changes = (count: number, until: number, attribute = 'email') =>
  Array.from({ length: count }, (_, n) => ({
    ...{
      changeId: `${n}`,
      changedAt: T - DAY,
      until,
      validBefore: [],
      undoCondition: 'link',
      linkFrom: until,
    },
    what: { attribute },
  })) as unknown as User['changes'];

test.each<[string, Partial<User>, number]>([
  ['after the recovery delay', { email }, T + DAY],
  ['never if no address can be notified', {}, NEVER],
  ['never if SMS cannot reach the only address', { phoneNumber: someAddress('+12025550123') }, NEVER],
  ['never with 20 address changes that can be undone', { email, changes: changes(20, T + 1) }, NEVER],
  ['after the delay with 19 such changes', { email, changes: changes(19, T + 1) }, T + DAY],
  ['after the delay if the changes can no longer be undone', { email, changes: changes(20, T) }, T + DAY],
  [
    'after the delay with changes of other credentials',
    { email, changes: changes(20, T + 1, 'passkey') },
    T + DAY,
  ],
])('an address that an operator sets can be used by itself %s', (_title, change, delayedUntil) => {
  const settings = { smsCountries: ['DE'] };
  expect(buildOperatorChangeTerms(someTenant(), settings, someUser(change), T)).toEqual({
    ...{ how: 'operator', scope: expect.anything(), delayedUntil },
  });
});
