import { describe, expect, test } from '@jest/globals';
import { createSocialProof, linkByMailbox } from '../../../functions/social/authenticate.ts';
import { TENANT_WIDE, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import type { Address, Passkey, UpstreamIdentity, User } from '../../../shared/ports/people.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { provenTrust, someAddress, someApplication, someUser, T } from '../../support/server/records.ts';

const NOW = T + 100;
const application = someApplication({ applicationId: 'app' });
const email = someAddress('ann@example.com');
const own: UpstreamIdentity = { provider: 'google', subject: '1', ...provenTrust };

describe('proof by an account at an identity provider', () => {
  const proof = { method: 'social', at: NOW, scope: TENANT_WIDE, credential: identityName(own) };
  const user = someUser({ email, identities: [own] });
  const { userId } = user;
  const shutOut = { ...own, generation: 0 };
  const toLink = { identity: own, profile: { subject: '1' } };

  test.each<[string, Parameters<typeof createSocialProof>[0], object]>([
    ['of a user', { userId, user, own }, { worth: 'proven' }],
    ['that reports its login time', { userId, user, own, authTime: T }, { worth: 'proven', authTime: T }],
    ['that this login has linked', { userId, user, own, linked: true }, { worth: 'verified' }],
    ['that is superseded', { userId, user, own: shutOut, linked: true }, { worth: 'quarantined' }],
    ['that is not linked yet', { userId, toLink, generation: 1 }, { worth: 'verified' }],
    ['of a new user', { userId, signUp: { type: 'identity', identity: own } }, { worth: 'proven' }],
  ])(
    'the strength of a provider account in a login depends on the account: an account %s',
    (_, found, expected) => {
      expect(createSocialProof(found, application, NOW)).toEqual({ ...proof, ...expected });
    },
  );
});

describe('link between a user and a provider account with their email address', () => {
  const link = (change: Partial<Address>, user: Partial<User> = {}, passkeys: readonly Passkey[] = []) =>
    linkByMailbox(
      { passkeys: { listOf: async () => passkeys } } as never,
      { application, now: NOW } as never,
      someUser({ email: { ...email, ...change }, ...user }),
    );
  const account = { ...provenTrust, since: NOW };

  test('an account is linked at once if the mailbox is the only factor of the user', async () => {
    expect(await link({})).toEqual({ account, address: email, newGenerations: undefined });
  });

  test('an account that is linked by the first verification of the address supersedes earlier credentials', async () => {
    expect(await link({ standing: 'claimed' }, { generations: UNPROVEN_GENERATIONS })).toEqual({
      ...{ account, address: account, newGenerations: { valid: [1], highest: 2 } },
    });
  });

  test.each([
    ['has another factor', link({}, {}, [somePasskey()])],
    ['has a superseded address', link({ generation: 0 })],
    ['has an address that an operator has just set', link({ standing: 'claimed', delayedUntil: NOW + 1 })],
  ])('an account is not linked without another factor to a user who %s', async (_, linking) => {
    expect(await linking).toBeUndefined();
  });
});
