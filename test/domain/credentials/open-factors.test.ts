import { describe, expect, test } from '@jest/globals';
import { findOpenFactors } from '../../../shared/domain/credentials/open-factors.ts';
import type { AuthenticationMethod } from '../../../shared/ports/flows.ts';
import type { LoginPreferences } from '../../../shared/ports/login-preferences.ts';
import type { Address } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import {
  provenTrust,
  someAddress,
  someApplication,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const ada = someUser({ email: someAddress('a@example.com'), phoneNumber: someAddress('+12015550100') });
const everything: LoginPreferences = { link: {}, email: {}, sms: {}, direct: {} };

const openTo = (
  user: typeof ada | undefined,
  proven: AuthenticationMethod[],
  loginPreferences = everything,
) =>
  findOpenFactors(
    someApplication({ loginPreferences }),
    user,
    proven.map((method) => someUse({ method })),
  );

describe('second factors that are available after the first login method', () => {
  test.each<[AuthenticationMethod[], string[]]>([
    [['eml'], ['sms']],
    [['eotp'], ['sms']],
    [['sms'], ['email', 'email-otp']],
    [['webauthn'], ['email', 'sms', 'email-otp']],
    [['social'], ['email', 'sms', 'email-otp']],
    [['otp'], ['email', 'sms', 'email-otp']],
    [['eml', 'sms'], []],
  ])('after a login with %j, the user can also log in with %j as a second factor', (proven, open) => {
    expect(openTo(ada, proven)).toEqual(open);
  });

  test('a user without a phone number cannot use an SMS code as a second factor', () => {
    expect(openTo(someUser({ email: someAddress('a@example.com') }), ['eotp'])).toEqual([]);
    expect(openTo(someUser({ email: someAddress('a@example.com') }), ['webauthn'])).toEqual([
      'email',
      'email-otp',
    ]);
    expect(openTo(someUser({ phoneNumber: someAddress('+12015550100') }), ['webauthn'])).toEqual(['sms']);
    expect(openTo(undefined, ['webauthn'])).toEqual([]);
  });

  test.each<[string, Partial<Address>, boolean]>([
    ['is proven', {}, true],
    ['is proven for another application', { scope: 'side' }, false],
    ['is superseded', { generation: 0 }, false],
    ['was set when the user was created and never changed', { standing: 'claimed' }, true],
    ['was verified in a login without all factor types', { standing: 'verified', generation: 3 }, false],
    ['was set for another application only', { standing: 'claimed', scope: 'side' }, false],
    ['was set later by a backend', { standing: 'claimed', generation: 4 }, false],
    ['is flagged as at risk', { risk: { signal: 'other', observedAt: T, reportedAt: T } }, false],
  ])('a phone number that %s can be used as a second factor (expected: %s)', (_title, change, isOpen) => {
    const generations = { valid: [1, 3], highest: 4 };
    const user = someUser({ generations, phoneNumber: someAddress('+12015550100', change) });
    expect(openTo(user, ['eotp'])).toEqual(isOpen ? ['sms'] : []);
  });

  test('a linked identity provider account is available as a second factor only while its provider is configured', () => {
    const google = { provider: 'google', subject: 's', ...provenTrust };
    const providers = { google: { clientId: 'c' }, line: { clientId: 'c' } };
    const open = (change: Partial<Trust>, proven: AuthenticationMethod[] = ['eotp']) =>
      openTo(someUser({ identities: [{ ...google, ...change }] }), proven, providers);
    expect(open({})).toEqual(['google']);
    for (const change of [{ scope: 'side' }, { generation: 0 }, { standing: 'vouched' }] as const)
      expect(open(change)).toEqual([]);
    expect(open({}, ['social'])).toEqual([]);
    const disabled = { google: { clientId: 'c', enabled: false } };
    expect(openTo(someUser({ identities: [google] }), ['eotp'], disabled)).toEqual([]);
  });

  test('a login offers only those second factors that the application has enabled', () => {
    expect(openTo(ada, ['webauthn'], { email: {} })).toEqual(['email-otp']);
    expect(openTo(ada, ['webauthn'], { link: {} })).toEqual(['email']);
    expect(openTo(ada, ['webauthn'], { direct: {} })).toEqual([]);
    const { loginPreferences: _, ...unconfigured } = someApplication();
    expect(findOpenFactors(unconfigured, ada, [])).toEqual([]);
  });
});
