import { describe, expect, test } from '@jest/globals';
import { openFactors } from '../../../shared/domain/credentials/open-factors.ts';
import type { AuthenticationMethod } from '../../../shared/ports/flows.ts';
import type { LoginPreferences } from '../../../shared/ports/login-preferences.ts';
import { someApplication, someUser } from '../../support/server/records.ts';

const address = (value: string, verified = true) => ({ value, verified });
const ada = someUser({ email: address('a@example.com'), phoneNumber: address('+12015550100') });
const everything: LoginPreferences = { link: {}, email: {}, sms: {}, direct: {} };

const openTo = (
  user: typeof ada | undefined,
  proven: AuthenticationMethod[],
  loginPreferences = everything,
) =>
  openFactors(
    someApplication({ loginPreferences }),
    user,
    proven.map((method) => ({ method, at: 0 })),
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
    expect(openTo(someUser({ email: address('a@example.com') }), ['eotp'])).toEqual([]);
    expect(openTo(someUser({ email: address('a@example.com') }), ['webauthn'])).toEqual([
      'email',
      'email-otp',
    ]);
    expect(openTo(someUser({ phoneNumber: address('+12015550100') }), ['webauthn'])).toEqual(['sms']);
    expect(openTo(undefined, ['webauthn'])).toEqual([]);
  });

  test('need it to be proven', () => {
    const unproven = someUser({
      email: address('a@example.com', false),
      phoneNumber: address('+12015550100'),
    });
    expect(openTo(unproven, ['webauthn'])).toEqual(['sms']);
  });

  test('need the application to have configured them', () => {
    expect(openTo(ada, ['webauthn'], { email: {} })).toEqual(['email-otp']);
    expect(openTo(ada, ['webauthn'], { link: {} })).toEqual(['email']);
    expect(openTo(ada, ['webauthn'], { direct: {} })).toEqual([]);
    const { loginPreferences: _, ...unconfigured } = someApplication();
    expect(openFactors(unconfigured, ada, [])).toEqual([]);
  });
});
