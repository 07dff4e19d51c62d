import { describe, expect, test } from '@jest/globals';
import { createApiTrust, createPageTrust, deviceKeyTrust } from '../../../shared/domain/trust/binding.ts';
import { FIRST_GENERATION, TENANT_WIDE } from '../../../shared/domain/trust/generations.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import {
  computeProofsAfterLogin,
  computeTrustAfterLogin,
  computeWorthAfterLogin,
  findTrustGains,
  findUsedCredential,
} from '../../../shared/domain/trust/trust-gains.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Passkey, User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { someAddress, someApplication, someUse, someUser, T } from '../../support/server/records.ts';

const NOW = T + 100;
const email = someAddress('a@example.com');
const phoneNumber = someAddress('+12015550100');
const mail = someUse({ at: NOW });
const sms = someUse({ method: 'sms', credential: 'phoneNumber', at: NOW });
const old = { ...mail, at: NOW - 600 };
const passkeyUse = (passkey: Passkey, change: Partial<MethodUse> = {}): MethodUse =>
  someUse({ method: 'webauthn', credential: passkey.credentialId, at: NOW, ...change });

const login = (user: Partial<User>, proofs: readonly MethodUse[], passkeys: readonly Passkey[] = []) => ({
  user: someUser({ email, generations: { valid: [1, 3], highest: 4 }, ...user }),
  application: someApplication({ applicationId: 'app' }),
  ...{ passkeys, proofs, at: NOW },
});

describe('trust level of newly added credentials', () => {
  const vouchedCode = someUse({ method: 'otp', worth: 'vouched', scope: 'app', credential: '', at: NOW });
  const [whole, atApp] = [
    { standing: 'proven', scope: TENANT_WIDE, generation: 3, since: NOW },
    { standing: 'proven', scope: 'app', generation: 3, since: NOW },
  ] as const;
  const identities = [{ ...atApp, provider: 'google', subject: '1', scope: 'side' }] as const;
  const verified: Trust = { ...atApp, standing: 'verified' };
  const vouched: Trust = { ...atApp, standing: 'vouched' };

  test.each<[string, Partial<User>, readonly MethodUse[], Trust, Trust, Trust]>([
    ['with the only factor type', {}, [mail], atApp, verified, whole],
    ['with both factor types', { phoneNumber }, [mail, sms], atApp, atApp, whole],
    ['with one of two factor types', { phoneNumber }, [mail], atApp, verified, verified],
    ['without the factor type of another application', { identities }, [mail], atApp, verified, atApp],
    ['with the only factor type, used too long ago', {}, [old], vouched, vouched, vouched],
    ['with a code that only the client has verified', {}, [vouchedCode], vouched, vouched, vouched],
    ['with a proof valid only in this application', {}, [{ ...mail, scope: 'app' }], atApp, verified, atApp],
  ])(
    'the trust level of a new credential depends on the login that adds it: a login %s',
    (_title, user, proofs, byApi, deviceKey, onPages) => {
      const asked = login(user, proofs);
      expect([createApiTrust(asked), deviceKeyTrust(asked), createPageTrust(asked)]).toEqual([
        byApi,
        deviceKey,
        onPages,
      ]);
    },
  );

  test('a device key added during a passkey login counts as a factor type', () => {
    const passkey = somePasskey();
    expect(deviceKeyTrust(login({}, [passkeyUse(passkey)], [passkey]))).toEqual(atApp);
  });
});

test('the credential of a proof is found together with the other credentials of the account', () => {
  const [identity, otherIdentity] = [
    { ...email, provider: 'google', subject: '1' },
    { ...email, provider: 'google', subject: '2' },
  ] as const;
  const [passkey, other] = [somePasskey(), somePasskey()];
  const user = someUser({ email, phoneNumber, identities: [identity, otherIdentity] });
  const passkeys = [passkey, other];
  const find = (use: MethodUse) => findUsedCredential({ user, passkeys }, use);
  const social = (credential: string) => someUse({ method: 'social', credential });
  const { email: _, ...withoutMail } = user;
  const { phoneNumber: __, ...withoutNumber } = user;
  expect(find(mail)).toEqual({ trust: email, others: { user: withoutMail, passkeys } });
  expect(find(sms)).toEqual({ trust: phoneNumber, others: { user: withoutNumber, passkeys } });
  expect(find(social(identityName(identity)))).toEqual({
    ...{ trust: identity, others: { user: { ...user, identities: [otherIdentity] }, passkeys } },
  });
  expect(find(passkeyUse(passkey))).toEqual({ trust: passkey, others: { user, passkeys: [other] } });
  for (const use of [{ ...mail, credential: '' }, social('unknown'), passkeyUse(somePasskey())])
    expect(find(use)).toBeUndefined();
});

test.each([
  ['an address with which the user was created', 'claimed', 'proven'],
  ['an address that only the client has verified', 'vouched', 'verified'],
] as const)(
  'the first proof of %s (standing "%s") counts as "%s" in its login',
  (_title, standing, worth) => {
    const before: Trust = { standing, scope: TENANT_WIDE, generation: FIRST_GENERATION, since: T };
    const user = someUser({ email, generations: { valid: [FIRST_GENERATION], highest: FIRST_GENERATION } });
    expect(computeWorthAfterLogin(user, before, { ...mail, worth: 'quarantined' })).toBe(worth);
  },
);

describe('trust level of a passkey that is used after an email code', () => {
  const settled = (
    trust: Partial<Trust>,
    surface: 'api' | 'pages',
    proofs = [mail],
    user: Partial<User> = {},
  ) => {
    const passkey = somePasskey(trust);
    return computeTrustAfterLogin(
      login(user, proofs, [passkey]),
      passkeyUse(passkey, { worth: 'quarantined' }),
      surface,
    );
  };
  const now = (standing: Trust['standing'], scope: string, generation: number): Trust => ({
    ...{ standing, scope, generation, since: NOW },
  });

  test('an email code of this application alone adds no trust to a passkey of another application', () => {
    const here = [{ ...mail, scope: 'app' }];
    const elsewhere = { standing: 'verified', scope: 'side' } as const;
    expect([settled(elsewhere, 'api', here), settled(elsewhere, 'pages', here)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each<[string, Partial<Trust>, Trust | undefined, Trust | undefined]>([
    ['already fully valid', {}, undefined, undefined],
    ['superseded', { generation: 0 }, now('proven', TENANT_WIDE, 3), now('proven', TENANT_WIDE, 3)],
    [
      'superseded, of this application',
      { generation: 0, scope: 'app' },
      now('proven', 'app', 3),
      now('proven', TENANT_WIDE, 3),
    ],
    [
      'superseded, of another application',
      { generation: 2, scope: 'side' },
      now('proven', TENANT_WIDE, 3),
      now('proven', TENANT_WIDE, 3),
    ],
    ['valid only in this application', { scope: 'app' }, undefined, now('proven', TENANT_WIDE, 1)],
    [
      'valid only in another application',
      { scope: 'side' },
      now('proven', TENANT_WIDE, 1),
      now('proven', TENANT_WIDE, 1),
    ],
    [
      'added without all factor types',
      { standing: 'verified' },
      now('proven', TENANT_WIDE, 1),
      now('proven', TENANT_WIDE, 1),
    ],
    [
      'superseded and added by a client',
      { generation: 0, standing: 'vouched', scope: 'app' },
      now('vouched', 'app', 3),
      now('proven', TENANT_WIDE, 3),
    ],
    [
      'H12 added by a client',
      { standing: 'vouched', scope: 'app' },
      undefined,
      now('proven', TENANT_WIDE, 1),
    ],
  ])(
    'after a login with an email code and a passkey that was %s, the passkey has the expected trust',
    (_title, trust, byApi, onPages) => {
      expect([settled(trust, 'api'), settled(trust, 'pages')]).toEqual([byApi, onPages]);
    },
  );

  test.each<[string, MethodUse[], Partial<User>]>([
    ['no other factor', [], {}],
    ['an email code that was used too long ago', [old], {}],
    ['an email code to a superseded address', [{ ...mail, worth: 'quarantined' }], {}],
    ['one of two factor types', [mail], { phoneNumber }],
    ['A18 an email code that is valid only in another application', [{ ...mail, scope: 'side' }], {}],
  ])(
    'a passkey that is no longer valid (superseded) stays invalid after a login with %s',
    (_title, proofs, user) => {
      for (const surface of ['api', 'pages'] as const)
        expect(settled({ generation: 0 }, surface, proofs, user)).toBeUndefined();
    },
  );

  test('a superseded passkey does not reinstate itself, even if the user has no other factor', () => {
    const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
    const { email: _, ...lost } = login({ phoneNumber: { ...phoneNumber, risk } }, []).user;
    const passkeys = {
      vouched: somePasskey({ standing: 'vouched' }),
      shutOut: somePasskey({ generation: 0 }),
      elsewhere: somePasskey({ scope: 'side' }),
    };
    for (const passkey of Object.values(passkeys))
      for (const surface of ['api', 'pages'] as const)
        expect(
          computeTrustAfterLogin({ ...login({}, []), user: lost }, passkeyUse(passkey), surface, {
            trust: passkey,
            others: { user: lost, passkeys: [] },
          }),
        ).toBeUndefined();
  });

  test('an emailed link reinstates no superseded passkey on the hosted pages', () => {
    const link = [{ ...mail, method: 'eml' as const }];
    const restored = now('proven', TENANT_WIDE, 3);
    expect([settled({ generation: 0 }, 'api', link), settled({ generation: 0 }, 'pages', link)]).toEqual([
      restored,
      undefined,
    ]);
    expect(settled({ standing: 'verified' }, 'pages', link)).toEqual(now('proven', TENANT_WIDE, 1));
  });

  test('a superseded email address is reinstated by a code on the hosted pages, but not by a link', () => {
    const passkey = somePasskey();
    const asked = login({ email: { ...email, generation: 0 } }, [passkeyUse(passkey)], [passkey]);
    const use = { ...mail, worth: 'quarantined' } as const;
    const restored = now('proven', TENANT_WIDE, 3);
    expect(computeTrustAfterLogin(asked, use, 'pages')).toEqual(restored);
    expect(computeTrustAfterLogin(asked, { ...use, method: 'eml' }, 'pages')).toBeUndefined();
    expect(computeTrustAfterLogin(asked, { ...use, method: 'eml' }, 'api')).toEqual(restored);
  });

  test('logging in with one passkey does not reinstate another passkey that is no longer valid', () => {
    const [one, other] = [somePasskey(), somePasskey({ generation: 0 })];
    const both = login({ phoneNumber }, [passkeyUse(one), mail], [one, other]);
    expect(computeTrustAfterLogin(both, passkeyUse(other), 'pages')).toBeUndefined();
  });
});

describe('credentials that become valid again during a login', () => {
  const passkey = somePasskey({ generation: 0 });
  const use = passkeyUse(passkey, { worth: 'quarantined' });
  const asked = login({}, [mail, use], [passkey]);

  test('a passkey that is reinstated during a login counts as a factor of that login', () => {
    const settled = findTrustGains(asked, asked.proofs, 'pages');
    expect(settled.map(({ use }) => use.credential)).toEqual([passkey.credentialId]);
    expect(computeProofsAfterLogin(asked, asked.proofs, settled)).toEqual([
      mail,
      { ...use, worth: 'proven' },
    ]);
    expect(computeProofsAfterLogin(asked, asked.proofs, [])).toEqual([mail, use]);
  });

  test('A19 a phone number set by a backend is not a factor type in the login that first verifies the number', () => {
    const set = { ...phoneNumber, standing: 'verified', generation: 2 } as const;
    const given = { ...sms, worth: 'quarantined' } as const;
    const both = login({ phoneNumber: set }, [mail, given]);
    const settled = findTrustGains(both, [given], 'pages');
    expect(settled.map(({ trust }) => trust.standing)).toEqual(['proven']);
    expect(computeProofsAfterLogin(both, [given], settled)).toEqual([{ ...given, worth: 'verified' }]);
  });
});

test('a proof gets the current scope of its credential if the credential is a factor in the application', () => {
  const after = (use: MethodUse, change: Partial<Trust> = {}) =>
    computeProofsAfterLogin(login({ email: { ...email, ...change } }, []), [use], [])[0];
  const here = { ...mail, scope: 'app' };
  expect(after(here)).toEqual(mail);
  const verified = { ...here, worth: 'verified' } as const;
  expect(after(verified)).toEqual(verified);
  for (const change of [{ scope: 'side' }, { standing: 'verified' }, { generation: 0 }] as const)
    expect(after(here, change)).toEqual(here);
  const gone = { ...here, credential: 'phoneNumber', method: 'sms' } as const;
  expect(after(gone)).toEqual(gone);
});

test('a new passkey is not a factor in the login during which it is added', () => {
  const passkey = somePasskey({ scope: 'app', generation: 3 });
  const enrolled = passkeyUse(passkey, { worth: 'enrolled', scope: 'app' });
  const asked = login({}, [mail, enrolled], [passkey]);
  expect(findTrustGains(asked, asked.proofs, 'pages')).toEqual([]);
  expect(computeProofsAfterLogin(asked, asked.proofs, [])).toEqual([mail, enrolled]);
});

describe('verification of addresses set by an operator', () => {
  const since = NOW - 60;
  const set = { ...email, standing: 'claimed', generation: 3, since, delayedUntil: NOW + 1000 } as const;
  const given = someUse({ worth: 'quarantined', at: NOW });
  const [passkey, other] = [somePasskey(), somePasskey({ since: T })];
  const settled = (use: MethodUse, proofs: readonly MethodUse[], user: Partial<User> = {}) =>
    computeTrustAfterLogin(login({ email: set, ...user }, proofs, [passkey]), use, 'pages');

  test('an address set by an operator becomes verified by a code if the user has also used another factor', () => {
    const proven = { standing: 'proven', scope: TENANT_WIDE, generation: 3, since: NOW };
    expect(settled(given, [passkeyUse(passkey)])).toEqual(proven);
    // If the account has more factor types than were used, the address is only verified. It can log in but is no factor type.
    expect(settled(given, [passkeyUse(passkey)], { phoneNumber })).toEqual({
      ...proven,
      standing: 'verified',
    });
  });

  test('a code sent to the previous address does not verify an address set by an operator', () => {
    expect(settled({ ...given, at: since - 1 }, [passkeyUse(passkey)])).toBeUndefined();
    expect(settled({ ...given, at: since }, [passkeyUse(passkey)])).toBeDefined();
    expect(settled({ ...given, worth: 'proven' }, [passkeyUse(passkey)])).toBeUndefined();
  });

  test('a code alone, without another factor, does not verify an address set by an operator', () => {
    const bound = passkeyUse(other, { worth: 'vouched' });
    for (const proofs of [[], [bound]]) expect(settled(given, proofs)).toBeUndefined();
    expect(computeTrustAfterLogin(login({ email: set }, []), given, 'api')).toBeUndefined();
  });
});
