import { describe, expect, test } from '@jest/globals';
import { openFactors } from '../../../shared/domain/credentials/open-factors.ts';
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
  openFactors(
    someApplication({ loginPreferences }),
    user,
    proven.map((method) => someUse({ method })),
  );

describe('factors that are still open', () => {
  test.each<[AuthenticationMethod[], string[]]>([
    [['eml'], ['sms']],
    [['eotp'], ['sms']],
    [['sms'], ['email', 'email-otp']],
    [['webauthn'], ['email', 'sms', 'email-otp']],
    [['social'], ['email', 'sms', 'email-otp']],
    [['otp'], ['email', 'sms', 'email-otp']],
    [['eml', 'sms'], []],
  ])('after %j: %j', (proven, open) => {
    expect(openTo(ada, proven)).toEqual(open);
  });

  test('need an address', () => {
    expect(openTo(someUser({ email: someAddress('a@example.com') }), ['eotp'])).toEqual([]);
    expect(openTo(someUser({ email: someAddress('a@example.com') }), ['webauthn'])).toEqual([
      'email',
      'email-otp',
    ]);
    expect(openTo(someUser({ phoneNumber: someAddress('+12015550100') }), ['webauthn'])).toEqual(['sms']);
    expect(openTo(undefined, ['webauthn'])).toEqual([]);
  });

  test.each<[string, Partial<Address>, boolean]>([
    ['one that is proven', {}, true],
    ['one that is proven for another application', { scope: 'side' }, false],
    ['one that is shut out', { generation: 0 }, false],
    ['one that the user was made with, once', { standing: 'claimed' }, true],
    ['one that was verified with a kind missing', { standing: 'verified', generation: 3 }, false],
    ['one that a backend has set since', { standing: 'claimed', generation: 4 }, false],
    ['a number at risk', { risk: { signal: 'other', observedAt: T, reportedAt: T } }, false],
  ])('%s: %s', (_title, change, isOpen) => {
    const generations = { counting: [1, 3], last: 4 };
    const user = someUser({ generations, phoneNumber: someAddress('+12015550100', change) });
    expect(openTo(user, ['eotp'])).toEqual(isOpen ? ['sms'] : []);
  });

  test('are accounts at the providers of the application, while they count', () => {
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

  test('need the application to have configured them', () => {
    expect(openTo(ada, ['webauthn'], { email: {} })).toEqual(['email-otp']);
    expect(openTo(ada, ['webauthn'], { link: {} })).toEqual(['email']);
    expect(openTo(ada, ['webauthn'], { direct: {} })).toEqual([]);
    const { loginPreferences: _, ...unconfigured } = someApplication();
    expect(openFactors(unconfigured, ada, [])).toEqual([]);
  });
});
