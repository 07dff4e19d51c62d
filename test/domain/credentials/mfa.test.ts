import { describe, expect, test } from '@jest/globals';
import { authenticationContext, lastUses } from '../../../shared/domain/credentials/mfa.ts';
import type { AuthenticationMethod, MethodUse } from '../../../shared/ports/flows.ts';
import { someUse, T } from '../../support/server/records.ts';

const METHODS: readonly AuthenticationMethod[] = ['eml', 'eotp', 'sms', 'otp', 'social', 'webauthn'];

const toContext = (...methods: readonly AuthenticationMethod[]) =>
  authenticationContext(methods.map((method) => someUse({ method })));

describe('claims acr and amr of a session', () => {
  test.each(METHODS)('N120 an ID token of a login with only %s has no acr claim', (method) => {
    expect(toContext(method)).toEqual({ amr: [method] });
  });

  const pairs = METHODS.flatMap((one) =>
    METHODS.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  // An email link and an email code prove the same mailbox. A code that the client delivers itself is no factor.
  const sameKind = (pair: readonly string[]) =>
    pair.includes('otp') || (pair.includes('eml') && pair.includes('eotp'));

  test.each(pairs.filter(sameKind))(
    'the login methods %s and %s together do not count as two factors',
    (one, other) => {
      expect(toContext(one, other)).toEqual({ amr: [one, other] });
    },
  );

  test.each(pairs.filter((pair) => !sameKind(pair)))(
    'the login methods %s and %s together count as two factors',
    (one, other) => {
      expect(toContext(one, other)).toEqual({ amr: [one, other, 'mfa'], acr: 'mfa' });
    },
  );

  test('a login method that was used twice appears once in amr', () => {
    expect(toContext('sms', 'sms')).toEqual({ amr: ['sms'] });
    expect(toContext('sms', 'eml', 'sms')).toEqual({ amr: ['sms', 'eml', 'mfa'], acr: 'mfa' });
  });

  test.each<[MethodUse['worth'], boolean, boolean]>([
    ['proven', true, true],
    ['verified', true, false],
    ['vouched', true, false],
    ['quarantined', false, false],
  ])(
    'after an email code and an SMS code with the trust level "%s", amr contains sms (%s) and acr is mfa (%s)',
    (worth, isNamed, isKind) => {
      const text = someUse({ method: 'sms', worth });
      const amr = ['eotp', ...(isNamed ? ['sms'] : []), ...(isKind ? ['mfa'] : [])];
      expect(authenticationContext([someUse(), text])).toEqual({ amr, ...(isKind && { acr: 'mfa' }) });
    },
  );

  test('if a login method is used twice in a session, the session stores the use that is more trusted', () => {
    const first = someUse();
    for (const worth of ['verified', 'vouched', 'quarantined'] as const)
      expect(lastUses(first, someUse({ worth, at: T + 1 }))).toEqual([first]);
    const [again, text] = [someUse({ at: T + 2 }), someUse({ method: 'sms', at: T + 1 })];
    expect(lastUses(first, text, again)).toEqual([text, again]);
    const vouched = someUse({ worth: 'vouched' });
    expect(lastUses(vouched, again)).toEqual([again]);
    const all = (['proven', 'enrolled', 'verified', 'vouched', 'quarantined'] as const).map((worth) =>
      someUse({ worth, at: T + 1 }),
    );
    for (const [index, use] of all.entries())
      for (const weaker of all.slice(index + 1)) {
        expect(lastUses(use, weaker)).toEqual([use]);
        expect(lastUses(weaker, use)).toEqual([use]);
      }
  });

  test('N120 a login with an email code and an emailed link does not get the acr value mfa', () => {
    expect(toContext('eml', 'eotp', 'eml', 'eotp').acr).toBeUndefined();
  });
});
