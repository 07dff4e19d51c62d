import { expect, test } from '@jest/globals';
import {
  awaitSignedUp,
  findSignedUp,
  hasFurtherProofs,
  type PendingSignUp,
  requireSameProofs,
  sealSignUp,
  signUp,
} from '../../../shared/domain/users/sign-up.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import {
  provenTrust,
  someAddress,
  someApplication,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const CODE = 'code';
const NUMBER = '+12015550123';
const account = { provider: 'google', subject: 'ann' } as const;
const byMail: PendingSignUp = { type: 'email', value: 'ann@example.com' };
const byBoth: PendingSignUp = { ...byMail, phoneNumber: NUMBER };
const byGoogle: PendingSignUp = { type: 'identity', identity: account };
const seal = (signUp: PendingSignUp, methods: readonly MethodUse[] = [someUse()]) => ({
  ...{ code: CODE, sealed: sealSignUp(CODE, signUp), methods },
});

test.each<[string, PendingSignUp, readonly MethodUse[], boolean]>([
  ['an address', byMail, [someUse()], false],
  ['an address with two methods', byMail, [someUse(), someUse()], true],
  ['two addresses', byBoth, [someUse()], true],
  ['an account at a provider', byGoogle, [someUse()], true],
])('a sign-up with %s has proven more than one address: %s', (_, signUp, methods, expected) => {
  expect(hasFurtherProofs(seal(signUp, methods))).toBe(expected);
});

const email = someAddress('ann@example.com');
const phoneNumber = someAddress(NUMBER);
const ann = someUser({ email, phoneNumber });
const identities = [
  { ...account, subject: 'bob', ...provenTrust, standing: 'claimed' as const },
  { ...account, ...provenTrust },
];
const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
const passkey = someUse({ method: 'webauthn' });

test.each<[string, PendingSignUp, User, readonly MethodUse[] | undefined, boolean]>([
  ['the same address', byMail, ann, undefined, true],
  [
    'the same address, unverified',
    byMail,
    someUser({ email: { ...email, standing: 'claimed' } }),
    undefined,
    false,
  ],
  [
    'the same address, valid elsewhere',
    byMail,
    someUser({ email: { ...email, scope: 'side' } }),
    undefined,
    false,
  ],
  ['no address', byMail, someUser({ phoneNumber }), undefined, false],
  ['the same addresses', byBoth, ann, undefined, true],
  ['another phone number', byBoth, { ...ann, phoneNumber: someAddress('+12015550124') }, undefined, false],
  ['no phone number', byBoth, someUser({ email }), undefined, false],
  [
    'an unverified phone number',
    byBoth,
    { ...ann, phoneNumber: { ...phoneNumber, standing: 'claimed' } },
    undefined,
    false,
  ],
  ['a phone number at risk', byMail, { ...ann, phoneNumber: { ...phoneNumber, risk } }, undefined, false],
  ['the same account at a provider', byGoogle, someUser({ identities }), undefined, true],
  [
    'another account at the provider',
    byGoogle,
    someUser({ identities: identities.slice(0, 1) }),
    undefined,
    false,
  ],
  ['the same address, and a passkey of the sign-up', byMail, ann, [someUse(), passkey], false],
])(
  'a sign-up logs in the user created meanwhile only if all proofs are theirs: %s',
  (_, signUp, user, methods, may) => {
    const check = () =>
      requireSameProofs(user, someApplication({ applicationId: 'shop' }), seal(signUp, methods));
    if (may) check();
    else expect(check).toThrow(expect.objectContaining({ key: 'invalid_grant' }));
  },
);

test('a sign-up finds the user of its address, or waits until another request has created the user', async () => {
  const tenant = someTenant({ tenantId: ann.tenantId });
  let holder: string | undefined;
  const ports = { identifiers: { find: async () => holder }, users: { find: async () => ann } };
  expect(await findSignedUp(ports as never, tenant, seal(byMail))).toBeUndefined();
  await expect(awaitSignedUp(ports as never, tenant, seal(byMail))).rejects.toMatchObject({
    key: 'invalid_grant',
  });
  setTimeout(() => {
    holder = ann.userId;
  }, 20);
  expect(await awaitSignedUp(ports as never, tenant, seal(byMail))).toBe(ann);
  expect(await findSignedUp(ports as never, tenant, seal(byMail))).toBe(ann);
  // The user may not have the phone number of the sign-up.
  expect(await findSignedUp(ports as never, tenant, seal(byBoth))).toBeUndefined();
  const other = { ...seal(byMail), code: 'other' };
  await expect(findSignedUp(ports as never, tenant, other)).rejects.toMatchObject({ key: 'invalid_grant' });
  const disabled = { ...ports, users: { find: async () => ({ ...ann, status: 'Disabled' }) } } as never;
  await expect(findSignedUp(disabled, tenant, seal(byMail))).rejects.toMatchObject({
    key: 'user_not_active',
  });
});

test('a sign-up returns the user that an earlier request has created, and reports its failure otherwise', async () => {
  const place = { tenant: someTenant(), applicationId: 'shop', scope: 'shop' };
  const create = (created: User | undefined, failure: Error) => {
    const reserve = async () => {
      throw failure;
    };
    const identifierReservations = { reserve, release: async () => {} };
    const ports = { identifierReservations, userRecords: { find: async () => created } };
    return signUp(ports as never, place, { ...seal(byMail), userId: ann.userId }, T);
  };
  const taken = new ServiceError('identifier_taken');
  expect(await create(ann, taken)).toEqual({ user: ann, passkey: undefined });
  expect(await create(undefined, taken)).toBeUndefined();
  const outage = new ServiceError('service_unavailable');
  expect(await create(ann, outage)).toEqual({ user: ann, passkey: undefined });
  await expect(create(undefined, outage)).rejects.toBe(outage);
});
