import { expect, test } from '@jest/globals';
import { FORMER_IDENTIFIERS_MAX } from '../../../shared/domain/basis/limits.ts';
import { rememberFormerIdentifiers } from '../../../shared/domain/identifiers/former-identifiers.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { someTenant, someUser, T } from '../../support/server/records.ts';

const tenant = someTenant();
const [first, second] = ['a', 'b'].map((value) => ({ type: 'username', value })) as [never, never];
const [firstHash, secondHash] = [identifierHash(tenant, first), identifierHash(tenant, second)];
/** Former identifiers are remembered for 31 days and one hour. */
const until = T + 31 * 86_400 + 3600;

test('removed identifiers are remembered as long as their codes and failed attempts can be stored', () => {
  const formerIdentifiers = [
    { hash: 'expired', until: T },
    { hash: firstHash, until: T + 1 },
    { hash: 'earlier', until: T + 1 },
  ];
  expect(rememberFormerIdentifiers(tenant, someUser({ formerIdentifiers }), [first, second], T)).toEqual({
    formerIdentifiers: [
      { hash: 'earlier', until: T + 1 },
      { hash: firstHash, until },
      { hash: secondHash, until },
    ],
  });
  expect(rememberFormerIdentifiers(tenant, someUser(), [], T)).toEqual({});
});

test('only the newest former identifiers of a user are remembered', () => {
  const earlier = Array.from({ length: FORMER_IDENTIFIERS_MAX }, (_, n) => ({ hash: `${n}`, until }));
  const user = someUser({ formerIdentifiers: earlier });
  expect(rememberFormerIdentifiers(tenant, user, [first], T)).toEqual({
    formerIdentifiers: [...earlier.slice(1), { hash: firstHash, until }],
  });
});
