import { describe, expect, test } from '@jest/globals';
import { begun, TENANT, unproven } from '../../../shared/domain/trust/generations.ts';
import { needsNoPasskeys, proveAddress } from '../../../shared/domain/trust/prove-address.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Address, User } from '../../../shared/ports/people.ts';
import type { Generations, Standing, Trust } from '../../../shared/ports/trust.ts';
import { someAddress, someApplication, someUse, someUser, T } from '../../support/server/records.ts';

const NOW = T + 100;
const mail = someUse({ at: NOW });
const email = someAddress('a@example.com');

const numberOf = (standing: Standing, scope: string, generation: number): Address =>
  someAddress('+12015550100', { standing, scope, generation });
const trustOf = (standing: Standing, scope: string, generation: number): Trust => ({
  ...{ standing, scope, generation, since: NOW },
});

type Outcome = readonly [worth: MethodUse['worth'], scope: string, trust?: Trust, handover?: Generations];

/** The number of `user` is proven by text at the application `app`, after `proofs`. */
function prove(user: User, surface: 'api' | 'pages', proofs: readonly MethodUse[] = []): Outcome {
  const { phoneNumber } = user;
  if (!phoneNumber) throw new Error('there is no number');
  const application = someApplication({ applicationId: 'app' });
  const login = { user, application, passkeys: [], proofs, at: NOW };
  const proof = { method: 'sms', at: NOW } as const;
  const { use, trust, handover } = proveAddress(login, 'phoneNumber', phoneNumber, proof, surface);
  expect(use).toMatchObject({ ...proof, credential: 'phoneNumber' });
  return [
    use.worth,
    use.scope,
    ...(trust ? [trust, ...(handover ? [handover] : [])] : []),
  ] as unknown as Outcome;
}

describe('the first proof of a new user', () => {
  const claimed = numberOf('claimed', 'app', 1);
  const [alone, ofSide] = [{ phoneNumber: claimed }, { phoneNumber: numberOf('claimed', 'side', 1) }];
  const withMail = { ...alone, email: { ...email, standing: 'claimed', scope: 'app' } } as const;
  const first = { counting: [1], last: 2 };

  test.each<[string, Partial<User>, 'api' | 'pages', Outcome]>([
    ['of one address', alone, 'api', ['proven', TENANT, trustOf('proven', TENANT, 1), first]],
    ['of one address on the pages', alone, 'pages', ['proven', TENANT, trustOf('proven', TENANT, 1), first]],
    [
      'of two: a client says that they are of one person',
      withMail,
      'api',
      ['proven', 'app', trustOf('proven', 'app', 1), first],
    ],
    ['of two on the pages', withMail, 'pages', ['proven', TENANT, trustOf('proven', TENANT, 1), first]],
    [
      'that another application has made',
      ofSide,
      'api',
      ['proven', TENANT, trustOf('proven', TENANT, 1), first],
    ],
    [
      'A6 that another has made, where the mailbox is of this one',
      { ...withMail, ...ofSide },
      'api',
      ['quarantined', 'side'],
    ],
  ])('%s', (_title, user, surface, expected) => {
    expect(prove(someUser({ generations: unproven, ...user }), surface)).toEqual(expected);
  });
});

describe('a number beside a mailbox that is proven', () => {
  const generations = { counting: [1, 3], last: 4 };
  const old = { ...mail, at: NOW - 600 };
  const next: Generations = { counting: [5], last: 5 };

  test.each<[string, Address, 'api' | 'pages', readonly MethodUse[], Outcome]>([
    ['that is proven', numberOf('proven', TENANT, 3), 'api', [], ['proven', TENANT]],
    ['that is proven at this application', numberOf('proven', 'app', 1), 'api', [mail], ['proven', 'app']],
    [
      'H1 of a new user, alone by API, logs in',
      numberOf('claimed', 'app', 1),
      'api',
      [],
      ['proven', 'app', trustOf('verified', 'app', 1)],
    ],
    [
      'H6 of a new user, beside the mailbox',
      numberOf('claimed', 'app', 1),
      'api',
      [mail],
      ['proven', 'app', trustOf('proven', 'app', 1)],
    ],
    [
      'H2 of a new user, alone on the pages',
      numberOf('claimed', 'app', 1),
      'pages',
      [],
      ['quarantined', 'app'],
    ],
    [
      'H2 of a new user, beside the mailbox on the pages',
      numberOf('claimed', 'app', 1),
      'pages',
      [mail],
      ['proven', 'app', trustOf('proven', 'app', 1)],
    ],
    [
      'H2 beside a mailbox of an old login on the pages',
      numberOf('claimed', 'app', 1),
      'pages',
      [old],
      ['proven', 'app', trustOf('verified', 'app', 1)],
    ],
    [
      'H3 that a login has added with a kind missing',
      numberOf('verified', TENANT, 3),
      'api',
      [],
      ['verified', TENANT, trustOf('verified', TENANT, 3)],
    ],
    [
      'and beside the mailbox',
      numberOf('verified', TENANT, 3),
      'api',
      [mail],
      ['verified', TENANT, trustOf('proven', TENANT, 3)],
    ],
    [
      'H4 that a backend has set, alone',
      numberOf('claimed', 'app', 4),
      'api',
      [],
      ['proven', TENANT, trustOf('proven', TENANT, 5), next],
    ],
    [
      'H4 that a backend has set, alone on the pages',
      numberOf('claimed', 'app', 4),
      'pages',
      [],
      ['proven', TENANT, trustOf('proven', TENANT, 5), next],
    ],
    [
      'H4 that a backend of another application has set',
      numberOf('claimed', 'side', 4),
      'api',
      [],
      ['proven', TENANT, trustOf('proven', TENANT, 5), next],
    ],
    [
      'A19 that a backend has set, beside the mailbox',
      numberOf('claimed', 'app', 4),
      'api',
      [mail],
      ['verified', 'app', trustOf('proven', 'app', 3)],
    ],
    ['that is shut out, alone', numberOf('proven', TENANT, 2), 'api', [], ['quarantined', TENANT]],
    [
      'that is shut out, alone on the pages',
      numberOf('proven', TENANT, 2),
      'pages',
      [],
      ['quarantined', TENANT],
    ],
    [
      'H4 that is shut out, beside the mailbox',
      numberOf('proven', TENANT, 2),
      'api',
      [mail],
      ['proven', TENANT, trustOf('proven', TENANT, 3)],
    ],
    [
      'that is shut out, beside a mailbox of an old login',
      numberOf('proven', TENANT, 2),
      'api',
      [old],
      ['quarantined', TENANT],
    ],
    [
      'A21 that was never proven, beside the mailbox',
      numberOf('claimed', TENANT, 0),
      'api',
      [mail],
      ['verified', TENANT, trustOf('proven', TENANT, 3)],
    ],
    ['of another application, alone', numberOf('proven', 'side', 1), 'api', [], ['quarantined', 'side']],
    [
      'of another application, beside the mailbox',
      numberOf('proven', 'side', 1),
      'api',
      [mail],
      ['proven', TENANT, trustOf('proven', TENANT, 1)],
    ],
    [
      'of another, beside a mailbox of this one alone',
      numberOf('proven', 'side', 1),
      'api',
      [{ ...mail, scope: 'app' }],
      ['quarantined', 'side'],
    ],
    [
      'beside the word of a client',
      numberOf('proven', TENANT, 2),
      'api',
      [{ ...mail, method: 'otp', worth: 'vouched' }],
      ['quarantined', TENANT],
    ],
  ])('%s', (_title, phoneNumber, surface, proofs, expected) => {
    expect(prove(someUser({ email, phoneNumber, generations }), surface, proofs)).toEqual(expected);
  });
});

test.each<[string, Partial<User>, readonly MethodUse[], boolean]>([
  ['an address that is proven', {}, [], true],
  ['one of another application', { email: { ...email, scope: 'side' } }, [], false],
  ['one that is shut out', { email: { ...email, generation: 0 } }, [], false],
  ['one with a kind missing', { email: { ...email, standing: 'verified' } }, [], false],
  ['one that hands the account over', { email: { ...email, standing: 'claimed', generation: 2 } }, [], true],
  ['the same beside another', { email: { ...email, standing: 'claimed', generation: 2 } }, [mail], false],
])('%s, needs no passkeys: %j', (_title, change, proofs, expected) => {
  const user = someUser({ email, lastAuthAt: T, generations: { ...begun, last: 2 }, ...change });
  const application = someApplication({ applicationId: 'app' });
  const ask = (asked: User) => needsNoPasskeys(asked, asked.email ?? email, application, proofs);
  expect(ask(user)).toBe(expected);
  // Before the first login there are none that count.
  const { lastAuthAt: _, ...fresh } = user;
  expect(ask(fresh)).toBe(true);
});
