import { expect, test } from '@jest/globals';
import { findSuitableApplication } from '../../../shared/domain/hosted-login/suitable-application.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { Passkey, User } from '../../../shared/ports/people.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { provenTrust, someAddress, someApplication, someUser, T } from '../../support/server/records.ts';

const mailAlone = someApplication({ name: 'Mail', loginPreferences: { email: { digits: 6 } } });
const both = someApplication({ name: 'Both', loginPreferences: { email: {}, sms: {} } });

const passkey = somePasskey();
const identities = [{ provider: 'google', subject: '1', ...provenTrust }];

/** Finds the suggestion at `application` for a user with an email and a phone number who has used the applications `used`. */
const find = (
  application: Application,
  used: readonly string[],
  change: Partial<User> = {},
  passkeys: readonly Passkey[] = [],
) =>
  findSuitableApplication(
    {
      applications: {
        find: async (id: string) => [mailAlone, both].find(({ applicationId }) => applicationId === id),
      },
    },
    {
      application,
      at: T,
      user: someUser({
        email: someAddress('ann@example.com'),
        phoneNumber: someAddress('+12015550123'),
        applications: used,
        ...change,
      }),
      passkeys,
    },
  );

test('an application that lacks a required factor suggests another application that offers all factors', async () => {
  const used = ['deleted', mailAlone.applicationId, both.applicationId];
  expect(await find(mailAlone, used)).toEqual({ name: 'Both' });
});

test('the suggestion names no application if no application of the user offers both required factors', async () => {
  expect(await find(mailAlone, ['deleted', mailAlone.applicationId])).toEqual({ name: undefined });
});

test('an application that offers both required factors suggests no other application', async () => {
  expect(await find(both, [both.applicationId])).toBeUndefined();
});

test('an application that offers two of three factors suggests no other application', async () => {
  expect(await find(both, [], { identities })).toBeUndefined();
});

test.each([
  ['passkeys', { email: {}, passkey: {} }, {}, [passkey]],
  ['a provider', { email: {}, google: { clientId: 'id' } }, { identities }, []],
])(
  'an application is suitable if it offers %s as the second factor',
  async (_title, offered, user, passkeys) => {
    const change = { phoneNumber: someAddress('+12015550123', { standing: 'claimed' }), ...user };
    const application = someApplication({ loginPreferences: offered as never });
    expect(await find(application, [], change, passkeys)).toBeUndefined();
    expect(await find(mailAlone, [], change, passkeys)).toEqual({ name: undefined });
  },
);
