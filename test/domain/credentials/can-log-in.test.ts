import { expect, test } from '@jest/globals';
import { canLogInAt } from '../../../shared/domain/credentials/can-log-in.ts';
import { requirePreference, sendsTo } from '../../../shared/domain/credentials/login-preferences.ts';
import type { LoginPreferences } from '../../../shared/ports/login-preferences.ts';
import type { Passkey, User } from '../../../shared/ports/people.ts';
import { provenTrust, someAddress, someApplication, someUser, T } from '../../support/server/records.ts';

const risk = { signal: 'other', observedAt: T, reportedAt: T } as const;
const passkey = { rpId: 'example.com', ...provenTrust } as Passkey;
const google = { provider: 'google', subject: 's', ...provenTrust } as const;
const providers = { google: { clientId: 'client' } };

test.each<[string, Partial<User>, readonly Passkey[], LoginPreferences, boolean]>([
  ['no credential', {}, [], { email: {}, sms: {} }, false],
  ['a proven email address', { email: someAddress('a@example.com') }, [], { email: {} }, true],
  ['an email address without a channel', { email: someAddress('a@example.com') }, [], { sms: {} }, false],
  ['a proven phone number', { phoneNumber: someAddress('+12015550100') }, [], { email: {}, sms: {} }, true],
  ['a phone number at risk', { phoneNumber: someAddress('+12015550100', { risk }) }, [], { sms: {} }, false],
  [
    'a superseded address',
    { email: someAddress('a@example.com', { generation: 0 }) },
    [],
    { email: {} },
    false,
  ],
  ['a passkey', {}, [passkey], {}, true],
  ['a passkey of another domain', {}, [{ ...passkey, rpId: 'example.org' }], {}, false],
  ['a superseded passkey', {}, [{ ...passkey, generation: 0 }], {}, false],
  ['an account at a provider', { identities: [google] }, [], providers, true],
  ['an account at a provider that is not configured', { identities: [google] }, [], {}, false],
])('a user with %s can log in (expected: %s)', (_, user, passkeys, loginPreferences, canLogIn) => {
  const application = someApplication({ loginPreferences });
  expect(canLogInAt({ application, rpId: 'example.com', user: someUser(user), passkeys })).toBe(canLogIn);
});

test('an application sends messages only to the types of addresses for which it has a channel', () => {
  const sends = (loginPreferences: LoginPreferences) => [
    sendsTo({ loginPreferences }, 'email'),
    sendsTo({ loginPreferences }, 'phone_number'),
  ];
  expect([sends({ email: {} }), sends({ sms: {} }), sends({})]).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test('an application without login settings is distinguished from one without settings for a method', () => {
  const find = (loginPreferences: LoginPreferences) => () =>
    requirePreference(someApplication({ loginPreferences }), 'email');
  expect(find({})).toThrow('auth_login_preferences_absent');
  expect(find({ sms: {} })).toThrow('auth_login_preferences_missing');
  expect(find({ email: { digits: 8 } })()).toEqual({ digits: 8 });
});
