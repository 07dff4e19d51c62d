import { describe, expect, test } from '@jest/globals';
import { boundByApi, boundOnPages, deviceKeyTrust } from '../../../shared/domain/trust/binding.ts';
import { TENANT } from '../../../shared/domain/trust/generations.ts';
import { settledBeside, settledOf, usesAfter } from '../../../shared/domain/trust/settle.ts';
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
const keyOf = (passkey: Passkey, change: Partial<MethodUse> = {}): MethodUse =>
  someUse({ method: 'webauthn', credential: passkey.credentialId, at: NOW, ...change });

const login = (user: Partial<User>, proofs: readonly MethodUse[], passkeys: readonly Passkey[] = []) => ({
  user: someUser({ email, generations: { counting: [1, 3], last: 4 }, ...user }),
  application: someApplication({ applicationId: 'app' }),
  ...{ passkeys, proofs, at: NOW },
});

describe('what a login binds', () => {
  const vouchedCode = someUse({ method: 'otp', worth: 'vouched', scope: 'app', credential: '', at: NOW });
  const [whole, atApp] = [
    { standing: 'proven', scope: TENANT, generation: 3, since: NOW },
    { standing: 'proven', scope: 'app', generation: 3, since: NOW },
  ] as const;
  const verified: Trust = { ...atApp, standing: 'verified' };
  const vouched: Trust = { ...atApp, standing: 'vouched' };

  test.each<[string, Partial<User>, readonly MethodUse[], Trust, Trust, Trust]>([
    ['by the one kind', {}, [mail], atApp, verified, whole],
    ['by two', { phoneNumber }, [mail, sms], atApp, atApp, whole],
    ['by one of two', { phoneNumber }, [mail], atApp, verified, verified],
    ['by the one kind too long ago', {}, [old], vouched, vouched, vouched],
    ['by the code of a client', {}, [vouchedCode], vouched, vouched, vouched],
    ['by a proof of this application alone', {}, [{ ...mail, scope: 'app' }], atApp, verified, atApp],
  ])('%s', (_title, user, proofs, byApi, deviceKey, onPages) => {
    const asked = login(user, proofs);
    expect([boundByApi(asked), deviceKeyTrust(asked), boundOnPages(asked)]).toEqual([
      byApi,
      deviceKey,
      onPages,
    ]);
  });

  test('a device key by a passkey is a kind', () => {
    const passkey = somePasskey();
    expect(deviceKeyTrust(login({}, [keyOf(passkey)], [passkey]))).toEqual(atApp);
  });
});

describe('a passkey that is given beside the mailbox', () => {
  const settled = (
    trust: Partial<Trust>,
    surface: 'api' | 'pages',
    proofs = [mail],
    user: Partial<User> = {},
  ) => {
    const passkey = somePasskey(trust);
    return settledBeside(login(user, proofs, [passkey]), keyOf(passkey, { worth: 'quarantined' }), surface);
  };
  const now = (standing: Trust['standing'], scope: string, generation: number): Trust => ({
    ...{ standing, scope, generation, since: NOW },
  });

  test.each<[string, Partial<Trust>, Trust | undefined, Trust | undefined]>([
    ['whole already', {}, undefined, undefined],
    ['shut out', { generation: 0 }, now('proven', TENANT, 3), now('proven', TENANT, 3)],
    [
      'shut out, of this application',
      { generation: 0, scope: 'app' },
      now('proven', 'app', 3),
      now('proven', TENANT, 3),
    ],
    [
      'shut out, of another',
      { generation: 2, scope: 'side' },
      now('proven', TENANT, 3),
      now('proven', TENANT, 3),
    ],
    ['of this application', { scope: 'app' }, undefined, now('proven', TENANT, 1)],
    ['of another', { scope: 'side' }, now('proven', TENANT, 1), now('proven', TENANT, 1)],
    [
      'bound with a kind missing',
      { standing: 'verified' },
      now('proven', TENANT, 1),
      now('proven', TENANT, 1),
    ],
    ['H12 bound by a client', { standing: 'vouched', scope: 'app' }, undefined, now('proven', TENANT, 1)],
  ])('%s', (_title, trust, byApi, onPages) => {
    expect([settled(trust, 'api'), settled(trust, 'pages')]).toEqual([byApi, onPages]);
  });

  test.each<[string, MethodUse[], Partial<User>]>([
    ['nothing beside it', [], {}],
    ['the mailbox too long ago', [old], {}],
    ['a mailbox that is shut out', [{ ...mail, worth: 'quarantined' }], {}],
    ['one of two kinds', [mail], { phoneNumber }],
    ['A18 a mailbox of this application', [{ ...mail, scope: 'side' }], {}],
  ])('stays as it is with %s', (_title, proofs, user) => {
    for (const surface of ['api', 'pages'] as const)
      expect(settled({ generation: 0 }, surface, proofs, user)).toBeUndefined();
  });

  test('needs the person, also where the account has lost its kinds', () => {
    const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
    const { email: _, ...lost } = login({ phoneNumber: { ...phoneNumber, risk } }, []).user;
    const passkeys = {
      vouched: somePasskey({ standing: 'vouched' }),
      shutOut: somePasskey({ generation: 0 }),
    };
    for (const passkey of Object.values(passkeys))
      for (const surface of ['api', 'pages'] as const)
        expect(
          settledBeside({ ...login({}, []), user: lost }, keyOf(passkey), surface, {
            trust: passkey,
            others: { user: lost, passkeys: [] },
          }),
        ).toBeUndefined();
  });

  test('no other of its kind vouches for it', () => {
    const [one, other] = [somePasskey(), somePasskey({ generation: 0 })];
    const both = login({ phoneNumber }, [keyOf(one), mail], [one, other]);
    expect(settledBeside(both, keyOf(other), 'pages')).toBeUndefined();
  });
});

describe('what has come to count in a login', () => {
  const passkey = somePasskey({ generation: 0 });
  const use = keyOf(passkey, { worth: 'quarantined' });
  const asked = login({}, [mail, use], [passkey]);

  test('is what the proofs are worth afterwards', () => {
    const settled = settledOf(asked, asked.proofs, 'pages');
    expect(settled.map(({ use }) => use.credential)).toEqual([passkey.credentialId]);
    expect(usesAfter(asked, asked.proofs, settled)).toEqual([mail, { ...use, worth: 'proven' }]);
    expect(usesAfter(asked, asked.proofs, [])).toEqual([mail, use]);
  });

  test('A19 a number that a backend has set since is no kind in the same login', () => {
    const set = { ...phoneNumber, standing: 'verified', generation: 2 } as const;
    const given = { ...sms, worth: 'quarantined' } as const;
    const both = login({ phoneNumber: set }, [mail, given]);
    const settled = settledOf(both, [given], 'pages');
    expect(settled.map(({ trust }) => trust.standing)).toEqual(['proven']);
    expect(usesAfter(both, [given], settled)).toEqual([{ ...given, worth: 'verified' }]);
  });
});

test('what the login has enrolled itself stays no more than that', () => {
  const passkey = somePasskey({ scope: 'app', generation: 3 });
  const enrolled = keyOf(passkey, { worth: 'enrolled', scope: 'app' });
  const asked = login({}, [mail, enrolled], [passkey]);
  expect(settledOf(asked, asked.proofs, 'pages')).toEqual([]);
  expect(usesAfter(asked, asked.proofs, [])).toEqual([mail, enrolled]);
});

describe('an address that an operator has set, and that is given beside another factor', () => {
  const since = NOW - 60;
  const set = { ...email, standing: 'claimed', generation: 3, since, opensAt: NOW + 1000 } as const;
  const given = someUse({ worth: 'quarantined', at: NOW });
  const [passkey, other] = [somePasskey(), somePasskey({ since: T })];
  const settled = (use: MethodUse, proofs: readonly MethodUse[], user: Partial<User> = {}) =>
    settledBeside(login({ email: set, ...user }, proofs, [passkey]), use, 'pages');

  test('counts from now on', () => {
    const proven = { standing: 'proven', scope: TENANT, generation: 3, since: NOW };
    expect(settled(given, [keyOf(passkey)])).toEqual(proven);
    // Where the account has more kinds than were given, it logs in and is no kind.
    expect(settled(given, [keyOf(passkey)], { phoneNumber })).toEqual({ ...proven, standing: 'verified' });
  });

  test('is not taken for given by a proof of the address that it replaced', () => {
    expect(settled({ ...given, at: since - 1 }, [keyOf(passkey)])).toBeUndefined();
    expect(settled({ ...given, worth: 'proven' }, [keyOf(passkey)])).toBeUndefined();
  });

  test('does not count beside nothing, or what a client has bound', () => {
    const bound = keyOf(other, { worth: 'vouched' });
    for (const proofs of [[], [bound]]) expect(settled(given, proofs)).toBeUndefined();
    expect(settledBeside(login({ email: set }, []), given, 'api')).toBeUndefined();
  });
});
