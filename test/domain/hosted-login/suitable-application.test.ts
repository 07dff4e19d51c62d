import { expect, test } from '@jest/globals';
import { findSuitableApplication } from '../../../shared/domain/hosted-login/suitable-application.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import { someAddress, someApplication, someUser, T } from '../../support/server/records.ts';

const mailAlone = someApplication({ name: 'Mail', loginPreferences: { email: { digits: 6 } } });
const both = someApplication({ name: 'Both', loginPreferences: { email: {}, sms: {} } });

/** Finds an application for a user with an email address and a phone number who has used these applications. */
const find = (application: Application, used: readonly string[]) =>
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
      }),
      passkeys: [],
    },
  );

test('a login suggests another application that the user has already used and that offers both required factors', async () => {
  const used = ['deleted', mailAlone.applicationId, both.applicationId];
  expect(await find(mailAlone, used)).toEqual({ name: 'Both' });
});

test("a login suggests no application by name if none of the user's applications offers both required factors", async () => {
  expect(await find(mailAlone, ['deleted', mailAlone.applicationId])).toEqual({ name: undefined });
});

test('a login suggests no other application if its own application offers both required factors', async () => {
  expect(await find(both, [both.applicationId])).toBeUndefined();
});
