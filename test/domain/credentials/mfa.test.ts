import { describe, expect, test } from '@jest/globals';
import { authenticationContext } from '../../../shared/domain/credentials/mfa.ts';
import type { AuthenticationMethod } from '../../../shared/ports/flows.ts';

const METHODS: readonly AuthenticationMethod[] = ['eml', 'eotp', 'sms', 'otp', 'social', 'webauthn'];

const contextOf = (...methods: readonly AuthenticationMethod[]) =>
  authenticationContext(methods.map((method, index) => ({ method, at: 1000 + index })));

describe('how a session was authenticated', () => {
  test.each(METHODS)('N120 %s alone is one factor: amr is an array, acr is absent', (method) => {
    expect(contextOf(method)).toEqual({ amr: [method] });
  });

  const pairs = METHODS.flatMap((one) =>
    METHODS.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  const sameKind = (pair: readonly string[]) => pair.includes('eml') && pair.includes('eotp');

  test.each(pairs.filter(sameKind))('%s and %s prove the same mailbox: no second factor', (one, other) => {
    expect(contextOf(one, other)).toEqual({ amr: [one, other] });
  });

  test.each(pairs.filter((pair) => !sameKind(pair)))('%s and %s are two factors', (one, other) => {
    expect(contextOf(one, other)).toEqual({ amr: [one, other, 'mfa'], acr: 'mfa' });
  });

  test('a method that is used twice is named once and stays one factor', () => {
    expect(contextOf('sms', 'sms')).toEqual({ amr: ['sms'] });
    expect(contextOf('sms', 'eml', 'sms')).toEqual({ amr: ['sms', 'eml', 'mfa'], acr: 'mfa' });
  });

  test('N120 mail never reaches an assurance of its own, however often it is used', () => {
    expect(contextOf('eml', 'eotp', 'eml', 'eotp').acr).toBeUndefined();
  });
});
