import { expect, test } from '@jest/globals';
import { findSuitableApplication } from '../../../shared/domain/hosted-login/suitable-application.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import { someAddress, someApplication, someUser, T } from '../../support/server/records.ts';

const mailAlone = someApplication({ name: 'Mail', loginPreferences: { email: { digits: 6 } } });
const both = someApplication({ name: 'Both', loginPreferences: { email: {}, sms: {} } });

/** Finds the suggestion at `application` for a user with an email and a phone number who has used the applications `used`. */
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
