import { describe, expect, test } from '@jest/globals';
import { lackForBinding, lackForTenant } from '../../../shared/domain/trust/binding.ts';
import { TENANT } from '../../../shared/domain/trust/generations.ts';
import { ANYWHERE, kindsHad, type Place } from '../../../shared/domain/trust/kinds.ts';
import type { Lack } from '../../../shared/domain/trust/lack.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Address, Passkey, User, Wait } from '../../../shared/ports/people.ts';
import type { Kind, Standing, Trust } from '../../../shared/ports/trust.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import {
  provenTrust,
  someAddress,
  someApplication,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const NOW = T + 1_000_000;
const generations = { counting: [1, 3], last: 4 };
const mailbox = { email: someAddress('a@example.com') };
const number = { phoneNumber: someAddress('+12015550100') };
const both = { ...mailbox, ...number };
const withNumber = (change: Partial<Address>) => ({
  ...mailbox,
  phoneNumber: { ...number.phoneNumber, ...change },
});
const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;

describe('what is a kind of the account', () => {
  const kinds = (trust: Partial<Trust>, place: Place) => {
    const whole = { ...provenTrust, ...trust };
    const user = someUser({
      generations,
      ...{ email: someAddress('a@example.com', whole), phoneNumber: someAddress('+12015550100', whole) },
      identities: [{ provider: 'google', subject: 's', ...whole }],
    });
    return [...kindsHad({ user, passkeys: [somePasskey(whole)] }, place, NOW).had];
  };
  const ALL: readonly Kind[] = ['mail', 'phone', 'passkey', 'social'];

  const rows = (['claimed', 'verified', 'proven', 'vouched'] as const).flatMap((standing) =>
    [TENANT, 'app', 'side'].flatMap((scope) =>
      [0, 1, 2, 3, 4].map((generation): [Standing, string, number] => [standing, scope, generation]),
    ),
  );
  test.each(rows)('%s, scope %s, generation %s', (standing, scope, generation) => {
    const counts = standing === 'proven' && [1, 3].includes(generation);
    const trust = { standing, scope, generation };
    expect(kinds(trust, ANYWHERE)).toEqual(counts ? ALL : []);
    expect(kinds(trust, 'app')).toEqual(counts && scope !== 'side' ? ALL : []);
  });
});

type Change = Partial<MethodUse> & { readonly age?: number };
const given = ({ age = 0, ...change }: Change = {}) => someUse({ at: NOW - age, ...change });
const mail = given();
const sms = given({ method: 'sms' });
const passkey = given({ method: 'webauthn' });
const text = (change: Partial<MethodUse>) => ({ ...sms, ...change });
const vouched = (method: 'otp' | 'webauthn') => given({ method, worth: 'vouched' });

const login = (user: Partial<User>, proofs: readonly MethodUse[], passkeys: readonly Passkey[] = []) => ({
  user: someUser({ generations, ...user }),
  application: someApplication({ applicationId: 'app' }),
  ...{ passkeys, proofs, at: NOW },
});

describe('a login that binds', () => {
  test.each<[string, Partial<User>, readonly MethodUse[], Lack | undefined]>([
    ['nothing is had', {}, [], undefined],
    ['the one kind', mailbox, [mail], undefined],
    ['nothing, of one kind', mailbox, [], 'login'],
    ['the one kind, a second too late', mailbox, [given({ age: 600 })], 'login'],
    ['the one kind, in time', mailbox, [given({ age: 599 })], undefined],
    ['another kind than the one', mailbox, [given({ method: 'social' })], 'second-factor'],
    ['one of two', both, [mail], 'second-factor'],
    ['two methods of one kind', both, [mail, given({ method: 'eml' })], 'second-factor'],
    ['both', both, [mail, sms], undefined],
    ['both, one too late', both, [given({ age: 600 }), sms], 'second-factor'],
    ['both, one with a kind missing then', both, [mail, text({ worth: 'verified' })], 'second-factor'],
    ['both, one shut out', both, [mail, text({ worth: 'quarantined' })], 'second-factor'],
    ['both, one at another application', both, [mail, text({ scope: 'side' })], 'second-factor'],
    ['both, one at this application', both, [mail, text({ scope: 'app' })], undefined],
    ['a number at risk is none', withNumber({ risk }), [mail], undefined],
    ['a number that nobody has proven is none', withNumber({ standing: 'claimed' }), [mail], undefined],
    ['the code of a client, of one kind', mailbox, [vouched('otp')], 'login'],
    ['the passkey of a client', mailbox, [vouched('webauthn')], 'login'],
  ])('%s', (_title, user, proofs, expected) => {
    expect(lackForBinding(login(user, proofs))).toBe(expected);
  });

  test('asks for two of three, whichever', () => {
    const own = [somePasskey()];
    for (const proofs of [
      [mail, sms],
      [mail, passkey],
      [sms, passkey],
    ])
      expect(lackForBinding(login(both, proofs, own))).toBeUndefined();
    for (const one of [mail, sms, passkey])
      expect(lackForBinding(login(both, [one], own))).toBe('second-factor');
  });

  test('is as old as the application allows', () => {
    const aged = (age: number) => {
      const asked = login(mailbox, [given({ age })]);
      return lackForBinding({ ...asked, application: { ...asked.application, bindingMaxAgeSeconds: 120 } });
    };
    expect([aged(119), aged(120)]).toEqual([undefined, 'login']);
  });

  const [here, elsewhere] = [[somePasskey({ scope: 'app' })], [somePasskey({ scope: 'side' })]];
  const byThat = { ...passkey, scope: 'app' };

  test.each<[string, Partial<User>, readonly Passkey[], readonly MethodUse[], Lack | undefined]>([
    ['all kinds count in the tenant', both, [], [mail, sms], undefined],
    ['a kind of another application is asked for', mailbox, elsewhere, [mail], 'second-factor'],
    ['a proof of this application alone is none', mailbox, here, [mail, byThat], 'second-factor'],
    ['an account of this application alone', {}, here, [byThat], undefined],
    ['an account of another application alone', {}, elsewhere, [mail], 'second-factor'],
  ])('for the tenant: %s', (_title, user, passkeys, proofs, expected) => {
    expect(lackForTenant(login(user, proofs, passkeys))).toBe(expected);
  });
});

describe('while the phone is lost', () => {
  const since = NOW - 100;
  const wait = (change: Partial<Wait>): Wait => ({
    ...{ cause: 'lost', kinds: ['phone'], since, effectiveAt: NOW + 50, endsAt: NOW + 90 },
    ...change,
  });
  const effectiveAt = NOW - 50;
  const over = wait({ effectiveAt });
  const granted = (endsAt: number) => wait({ cause: 'granted', effectiveAt, endsAt });

  test.each<[string, Wait, Partial<User>, Lack | undefined]>([
    ['it is asked for until the delay is over', wait({}), both, 'second-factor'],
    ['also when it was taken away', wait({}), mailbox, 'second-factor'],
    ['also when it is at risk', wait({ cause: 'risk' }), withNumber({ risk }), 'second-factor'],
    ['afterwards no more', over, both, undefined],
    ['not even when the wait can be ended no more', wait({ effectiveAt, endsAt: NOW - 1 }), both, undefined],
    ['but a number that came since is', over, withNumber({ since: since + 1 }), 'second-factor'],
    ['what an operator has granted ends', granted(NOW), both, 'second-factor'],
    ['and holds until then', granted(NOW + 90), both, undefined],
  ])('%s', (_title, waited, user, expected) => {
    expect(lackForBinding(login({ ...user, wait: waited }, [mail]))).toBe(expected);
  });

  test('of all kinds that are lost one is still asked for', () => {
    const all = wait({ effectiveAt, kinds: ['mail', 'phone', 'passkey', 'social'] });
    expect(lackForBinding(login({ ...both, wait: all }, [given({ method: 'social' })]))).toBe(
      'second-factor',
    );
    expect(lackForBinding(login({ ...both, wait: all }, [sms]))).toBeUndefined();
  });
});
