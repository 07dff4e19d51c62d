import { describe, expect, test } from '@jest/globals';
import { findAddingUser, findAddressee } from '../../../functions/hosted-login/addressee.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import type { LoginContext } from '../../../shared/flows/hosted-login/login-context.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someAddress, someApplication, someTenant, someUser, T } from '../../support/server/records.ts';

const [MAIL, NUMBER] = ['ann@example.com', '+12015550123'];
const tenant = someTenant();
const email = someAddress(MAIL);
const phoneNumber = someAddress(NUMBER);
const typed = { type: 'email', value: MAIL };
const [ownHash, quotaHash] = [typed, { type: 'user_id', value: 'ann' }].map((each) =>
  identifierHash(tenant, each),
);
const erasure = { erasureId: 'erasure', requestedAt: T, effectiveAt: T + 100, hasBegun: false };

/** Returns ports and the context of a login, at a tenant whose only user has the given fields. */
function setUp(change: Partial<User>) {
  const ann = someUser({ userId: 'ann', tenantId: tenant.tenantId, email, ...change });
  const ports = {
    identifiers: { find: async () => 'ann' },
    users: { find: async (userId: string) => (userId === 'ann' ? ann : undefined) },
  };
  const login = { loginId: 'login', request: { createNewUser: true }, progress: { userId: 'ann' } };
  const context = { tenant, application: someApplication(), login } as unknown as LoginContext;
  return [ports as never, context] as const;
}

describe('recipient of a message to a typed address', () => {
  const recipient = { address: MAIL, ownHash };
  const known = {
    kind: 'known',
    userId: 'ann',
    knownId: 'ann',
    quotaHash,
    isVerified: true,
    isSuperseded: false,
  };
  const stranger = { userId: expect.any(String), quotaHash: ownHash, isVerified: false };
  const disabled = {
    ...stranger,
    kind: 'unknown',
    knownId: 'ann',
    isDisabled: true,
    isDeletionPending: false,
  };

  test.each<[string, Partial<User>, object]>([
    ['the user with a verified address', {}, known],
    [
      'the user with an unverified address',
      { email: { ...email, standing: 'claimed' } },
      { ...known, isVerified: false },
    ],
    [
      'the user with a superseded address',
      { email: { ...email, generation: 0 } },
      { ...known, isSuperseded: true },
    ],
    [
      'the user with an address from which mail bounced',
      { email: { ...email, undeliverable: 'bounced' as never } },
      { ...known, recipient: { ...recipient, undeliverable: 'bounced' } },
    ],
    ['no user if the user is disabled', { status: 'Disabled' }, disabled],
    ['no user if the user is a test user of another application', { isTest: true }, disabled],
    [
      'no user, but a reminder is due, if the user has deleted the account',
      { erasure },
      { ...disabled, isDeletionPending: true },
    ],
    ['no user once the erasure has begun', { erasure: { ...erasure, hasBegun: true } }, disabled],
    ['no user if a disabled user has deleted the account', { erasure, status: 'Disabled' }, disabled],
    ['no user if a test user has deleted the account', { erasure, isTest: true }, disabled],
    [
      'a new user if the former user has another address',
      { email: someAddress('new@example.com') },
      { ...stranger, kind: 'signUp' },
    ],
  ])('is %s', async (_title, user, addressee) => {
    expect(await findAddressee(...setUp(user), typed)).toEqual({ recipient, ...addressee });
  });
});

test('a message to an address that the user adds goes to this user, with the risk of the number that the user has', async () => {
  const hashes = [{ type: 'phone_number', value: NUMBER }].map((each) => identifierHash(tenant, each));
  const find = (risk: object, value = NUMBER) =>
    findAddingUser(...setUp({ phoneNumber: { ...phoneNumber, ...risk }, isTest: true }), {
      type: 'phone_number',
      value,
    });
  const recipient = { address: NUMBER, ownHash: hashes[0], testUserId: 'ann' };
  const adding = { kind: 'known', userId: 'ann', knownId: 'ann', recipient, quotaHash, isVerified: false };
  expect(await find({})).toEqual(adding);
  expect(await find({ risk: 'sim_swap' })).toEqual({
    ...adding,
    recipient: { ...recipient, risk: 'sim_swap' },
  });
  expect((await find({ risk: 'sim_swap' }, '+12015550124')).recipient).not.toHaveProperty('risk');
});
