import { describe, expect, test } from '@jest/globals';
import { findMissingBindingProof, findMissingTenantProof } from '../../../shared/domain/trust/binding.ts';
import {
  ANY_APPLICATION,
  type ApplicationOrAny,
  findAccountFactorTypes,
  isOnlyMovedSession,
  isValidTenantWide,
  needsAnotherFactor,
} from '../../../shared/domain/trust/factor-types.ts';
import { TENANT_WIDE } from '../../../shared/domain/trust/generations.ts';
import type { MissingProof } from '../../../shared/domain/trust/missing-proof.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Address, Passkey, PendingRecovery, User } from '../../../shared/ports/people.ts';
import type { FactorType, Trust, TrustLevel } from '../../../shared/ports/trust.ts';
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
const generations = { valid: [1, 3], highest: 4 };
const mailbox = { email: someAddress('a@example.com') };
const number = { phoneNumber: someAddress('+12015550100') };
const both = { ...mailbox, ...number };
const withNumber = (change: Partial<Address>) => ({
  ...mailbox,
  phoneNumber: { ...number.phoneNumber, ...change },
});
const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;

describe('factor types that a user has', () => {
  const kinds = (trust: Partial<Trust>, place: ApplicationOrAny) => {
    const whole = { ...provenTrust, ...trust };
    const user = someUser({
      generations,
      ...{ email: someAddress('a@example.com', whole), phoneNumber: someAddress('+12015550100', whole) },
      identities: [{ provider: 'google', subject: 's', ...whole }],
    });
    return [...findAccountFactorTypes({ user, passkeys: [somePasskey(whole)] }, place, NOW).existing];
  };
  const ALL: readonly FactorType[] = ['mail', 'phone', 'passkey', 'social'];

  const rows = (['claimed', 'verified', 'proven', 'vouched'] as const).flatMap((standing) =>
    [TENANT_WIDE, 'app', 'side'].flatMap((scope) =>
      [0, 1, 2, 3, 4].map((generation): [TrustLevel, string, number] => [standing, scope, generation]),
    ),
  );
  test.each(rows)(
    'a credential is a factor type only if it is proven and valid (%s, valid in %s, generation %s)',
    (standing, scope, generation) => {
      const counts = standing === 'proven' && [1, 3].includes(generation);
      const trust = { standing, scope, generation };
      expect(kinds(trust, ANY_APPLICATION)).toEqual(counts ? ALL : []);
      expect(kinds(trust, 'app')).toEqual(counts && scope !== 'side' ? ALL : []);
    },
  );
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

test('a login needs another factor if it has proofs and none of them is sufficient', () => {
  const weak = given({ worth: 'quarantined' });
  expect([[], [weak], [weak, weak], [weak, mail]].map(needsAnotherFactor)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('a session consists only of a moved session if it has proofs and all come from another system', () => {
  const moved = given({ method: 'moved' });
  expect([[], [moved], [moved, mail]].map(isOnlyMovedSession)).toEqual([false, true, false]);
});

test('a proof is valid in the whole tenant if it is sufficient and not limited to one application', () => {
  const proofs = [mail, given({ scope: 'app' }), given({ worth: 'quarantined' })];
  expect(proofs.map(isValidTenantWide)).toEqual([true, false, false]);
});

describe('logins after which a user may add a credential', () => {
  test.each<[string, Partial<User>, readonly MethodUse[], MissingProof | undefined]>([
    ['an account without factors', {}, [], undefined],
    ['the only factor type', mailbox, [mail], undefined],
    ['no factor of an account with one factor type', mailbox, [], 'login'],
    ['the only factor type, used one second too long ago', mailbox, [given({ age: 600 })], 'login'],
    ['the only factor type, used at the last possible second', mailbox, [given({ age: 599 })], undefined],
    ['a factor type that the account does not have', mailbox, [given({ method: 'social' })], 'second-factor'],
    ['one of two factor types', both, [mail], 'second-factor'],
    ['two methods of one factor type', both, [mail, given({ method: 'eml' })], 'second-factor'],
    ['both factor types', both, [mail, sms], undefined],
    ['both factor types, one used too long ago', both, [given({ age: 600 }), sms], 'second-factor'],
    [
      'both factor types, one verified without the other',
      both,
      [mail, text({ worth: 'verified' })],
      'second-factor',
    ],
    ['both factor types, one superseded', both, [mail, text({ worth: 'quarantined' })], 'second-factor'],
    [
      'both factor types, one valid only in another application',
      both,
      [mail, text({ scope: 'side' })],
      'second-factor',
    ],
    [
      'both factor types, one valid only in this application',
      both,
      [mail, text({ scope: 'app' })],
      undefined,
    ],
    ['the mailbox, if the phone number is at risk', withNumber({ risk }), [mail], undefined],
    [
      'the mailbox, if the phone number is not proven',
      withNumber({ standing: 'claimed' }),
      [mail],
      undefined,
    ],
    ['a code that only the client has verified', mailbox, [vouched('otp')], 'login'],
    ['a passkey that only the client has verified', mailbox, [vouched('webauthn')], 'login'],
  ])(
    'a user can add a credential only after a sufficiently strong and recent login: %s',
    (_title, user, proofs, expected) => {
      expect(findMissingBindingProof(login(user, proofs))).toBe(expected);
    },
  );

  test('a user with three factor types needs a login with two of them to add a credential', () => {
    const own = [somePasskey()];
    for (const proofs of [
      [mail, sms],
      [mail, passkey],
      [sms, passkey],
    ])
      expect(findMissingBindingProof(login(both, proofs, own))).toBeUndefined();
    for (const one of [mail, sms, passkey])
      expect(findMissingBindingProof(login(both, [one], own))).toBe('second-factor');
  });

  test('an application can limit the age of a login that adds a credential', () => {
    const aged = (age: number) => {
      const asked = login(mailbox, [given({ age })]);
      return findMissingBindingProof({
        ...asked,
        application: { ...asked.application, bindingMaxAgeSeconds: 120 },
      });
    };
    expect([aged(119), aged(120)]).toEqual([undefined, 'login']);
  });

  const [here, elsewhere] = [[somePasskey({ scope: 'app' })], [somePasskey({ scope: 'side' })]];
  const byThat = { ...passkey, scope: 'app' };

  test.each<[string, Partial<User>, readonly Passkey[], readonly MethodUse[], MissingProof | undefined]>([
    ['all factor types are valid in the tenant', both, [], [mail, sms], undefined],
    ['a factor type of another application is required', mailbox, elsewhere, [mail], 'second-factor'],
    ['a proof valid only in this application is not enough', mailbox, here, [mail, byThat], 'second-factor'],
    ['all factors are valid only in this application', {}, here, [byThat], undefined],
    ['all factors are valid only in another application', {}, elsewhere, [mail], 'second-factor'],
  ])(
    'a user can add a tenant-wide credential only after a login with tenant-wide factors: %s',
    (_title, user, passkeys, proofs, expected) => {
      expect(findMissingTenantProof(login(user, proofs, passkeys))).toBe(expected);
    },
  );
});

describe('recovery of a user who has lost a phone', () => {
  const since = NOW - 100;
  const recovery = (change: Partial<PendingRecovery>): PendingRecovery => ({
    ...{ cause: 'lost', kinds: ['phone'], since, effectiveAt: NOW + 50, endsAt: NOW + 90 },
    ...change,
  });
  const effectiveAt = NOW - 50;
  const over = recovery({ effectiveAt });
  const granted = (endsAt: number) => recovery({ cause: 'granted', effectiveAt, endsAt });

  test.each<[string, PendingRecovery, Partial<User>, MissingProof | undefined]>([
    ['the phone is required until the delay is over', recovery({}), both, 'second-factor'],
    ['the phone is required even if its number was removed', recovery({}), mailbox, 'second-factor'],
    [
      'the phone is required even if its number is at risk',
      recovery({ cause: 'risk' }),
      withNumber({ risk }),
      'second-factor',
    ],
    ['the phone is no longer required after the delay', over, both, undefined],
    ['the phone is no longer required when the delay ends', recovery({ effectiveAt: NOW }), both, undefined],
    [
      'a phone number that was added at the time of the request is not required',
      over,
      withNumber({ since }),
      undefined,
    ],
    [
      'the phone is not required after the cancellation period',
      recovery({ effectiveAt, endsAt: NOW - 1 }),
      both,
      undefined,
    ],
    [
      'a phone number that was added after the request is required',
      over,
      withNumber({ since: since + 1 }),
      'second-factor',
    ],
    [
      'the phone is required again after a recovery granted by an operator has ended',
      granted(NOW),
      both,
      'second-factor',
    ],
    [
      'the phone is not required during a recovery granted by an operator',
      granted(NOW + 90),
      both,
      undefined,
    ],
  ])(
    'a phone that was reported as lost is a required factor until the recovery takes effect: %s',
    (_title, waited, user, expected) => {
      expect(findMissingBindingProof(login({ ...user, recovery: waited }, [mail]))).toBe(expected);
    },
  );

  test('a user who reports every factor type as lost still needs a factor to add a credential', () => {
    const all = recovery({ effectiveAt, kinds: ['mail', 'phone', 'passkey', 'social'] });
    expect(findMissingBindingProof(login({ ...both, recovery: all }, [given({ method: 'social' })]))).toBe(
      'second-factor',
    );
    expect(findMissingBindingProof(login({ ...both, recovery: all }, [sms]))).toBeUndefined();
  });
});
