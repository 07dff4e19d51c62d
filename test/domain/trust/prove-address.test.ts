import { describe, expect, test } from '@jest/globals';
import {
  PROVEN_GENERATIONS,
  TENANT_WIDE,
  UNPROVEN_GENERATIONS,
} from '../../../shared/domain/trust/generations.ts';
import { canProveWithoutPasskeys, proveAddress } from '../../../shared/domain/trust/prove-address.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Address, User } from '../../../shared/ports/people.ts';
import type { Generations, Trust, TrustLevel } from '../../../shared/ports/trust.ts';
import { someAddress, someApplication, someUse, someUser, T } from '../../support/server/records.ts';

const NOW = T + 100;
const mail = someUse({ at: NOW });
const email = someAddress('a@example.com');

/** Parses the trust of a credential from a text such as `proven tenant 1` (standing, scope, generation). */
function parseTrust(words: string): Trust {
  const [standing, scope, generation] = words.split(' ');
  return {
    standing: standing as TrustLevel,
    scope: scope === 'tenant' ? TENANT_WIDE : String(scope),
    generation: Number(generation),
    since: NOW,
  };
}

/** Verifies the phone number of `user` by SMS for the application `app`, after the given `proofs`. */
function prove(user: User, number: string, surface: 'api' | 'pages', proofs: readonly MethodUse[]) {
  const { since: _, ...trusted } = parseTrust(number);
  const phoneNumber: Address = someAddress('+12015550100', trusted);
  const application = someApplication({ applicationId: 'app' });
  const login = { user: { ...user, phoneNumber }, application, passkeys: [], proofs, at: NOW };
  const proof = { method: 'sms', at: NOW } as const;
  const { use, trust, newGenerations } = proveAddress(
    login,
    { attribute: 'phoneNumber', address: phoneNumber },
    proof,
    surface,
  );
  expect(use).toMatchObject({ ...proof, credential: 'phoneNumber' });
  const scope = use.scope === TENANT_WIDE ? 'tenant' : use.scope;
  return { use: `${use.worth} ${scope}`, trust, newGenerations };
}

const claimed: Partial<Address> = { standing: 'claimed', scope: 'app' };
const fresh = someUser({ generations: UNPROVEN_GENERATIONS });
const invited = someUser({ generations: UNPROVEN_GENERATIONS, email: { ...email, ...claimed } });
const old = { ...mail, at: NOW - 600 };
const here = { ...mail, scope: 'app' };
const word = { ...mail, method: 'otp', worth: 'vouched' } as const;
const ada = someUser({ email, generations: { valid: [1, 3], highest: 4 } });
const first: Generations = { valid: [1], highest: 2 };
const next: Generations = { valid: [5], highest: 5 };

type Row = readonly [
  ...[title: string, number: string, surface: 'api' | 'pages', proofs: readonly MethodUse[]],
  ...[use: string, trust?: string, newGenerations?: Generations],
];

describe.each<[string, User, readonly Row[]]>([
  [
    'the only address of a new user',
    fresh,
    [
      ['by API', 'claimed app 1', 'api', [], 'proven tenant', 'proven tenant 1', first],
      ['on the pages', 'claimed app 1', 'pages', [], 'proven tenant', 'proven tenant 1', first],
      ['of another backend', 'claimed side 1', 'api', [], 'proven tenant', 'proven tenant 1', first],
    ],
  ],
  [
    'the phone number of a new user with an email address',
    invited,
    [
      [
        'by API, if the client vouches for the user',
        'claimed app 1',
        'api',
        [],
        'proven app',
        'proven app 1',
        first,
      ],
      ['on the pages', 'claimed app 1', 'pages', [], 'proven tenant', 'proven tenant 1', first],
      ['A6 of another application', 'claimed side 1', 'api', [], 'quarantined side'],
    ],
  ],
  [
    'the phone number of a new user whose email address is valid only in another application',
    { ...invited, email: { ...email, ...claimed, scope: 'side' } },
    [['by API', 'claimed side 1', 'api', [], 'proven tenant', 'proven tenant 1', first]],
  ],
  [
    'the only address of a user',
    someUser({ generations: ada.generations }),
    [
      ['by API', 'verified app 3', 'api', [], 'proven tenant', 'proven tenant 3'],
      ['on the pages', 'verified app 3', 'pages', [], 'proven tenant', 'proven tenant 3'],
    ],
  ],
  [
    'a phone number of a user with a superseded email address',
    someUser({ email, generations: { valid: [3], highest: 4 } }),
    [['of another application', 'proven side 3', 'api', [], 'proven tenant', 'proven tenant 3']],
  ],
  [
    'a phone number of a user with a proven email address',
    ada,
    [
      ['that is already proven', 'proven tenant 3', 'api', [], 'proven tenant'],
      ['that is already proven in this application', 'proven app 1', 'api', [mail], 'proven app'],
      [
        'H1 of a new user, without another factor by API',
        'claimed app 1',
        'api',
        [],
        'proven app',
        'verified app 1',
      ],
      ['H6 of a new user, after an email code', 'claimed app 1', 'api', [mail], 'proven app', 'proven app 1'],
      [
        'H2 of a new user, without another factor on the pages',
        'claimed app 1',
        'pages',
        [],
        'quarantined app',
      ],
      [
        'H2 of a new user, after an email code on the pages',
        'claimed app 1',
        'pages',
        [mail],
        'proven app',
        'proven app 1',
      ],
      [
        'H2 of a new user, after an old email code on the pages',
        'claimed app 1',
        'pages',
        [old],
        'proven app',
        'verified app 1',
      ],
      [
        'H3 that was verified without all factor types',
        'verified tenant 3',
        'api',
        [],
        'verified tenant',
        'verified tenant 3',
      ],
      [
        'H3 that was verified without all factor types, after an email code',
        'verified tenant 3',
        'api',
        [mail],
        'verified tenant',
        'proven tenant 3',
      ],
      [
        'H4 set by a backend, without another factor',
        'claimed app 4',
        'api',
        [],
        'proven tenant',
        'proven tenant 5',
        next,
      ],
      [
        'H4 set by a backend, without another factor on the pages',
        'claimed app 4',
        'pages',
        [],
        'proven tenant',
        'proven tenant 5',
        next,
      ],
      ['H4 set by another backend', 'claimed side 4', 'api', [], 'proven tenant', 'proven tenant 5', next],
      [
        'A19 set by a backend, after an email code',
        'claimed app 4',
        'api',
        [mail],
        'verified app',
        'proven app 3',
      ],
      ['that is superseded, without another factor', 'proven tenant 2', 'api', [], 'quarantined tenant'],
      [
        'that is superseded, without another factor on the pages',
        'proven tenant 2',
        'pages',
        [],
        'quarantined tenant',
      ],
      [
        'H4 that is superseded, after an email code',
        'proven tenant 2',
        'api',
        [mail],
        'proven tenant',
        'proven tenant 3',
      ],
      ['that is superseded, after an old email code', 'proven tenant 2', 'api', [old], 'quarantined tenant'],
      [
        'that is superseded, after a factor that only a client has verified',
        'proven tenant 2',
        'api',
        [word],
        'quarantined tenant',
      ],
      [
        'A21 that was never proven, after an email code',
        'claimed tenant 0',
        'api',
        [mail],
        'verified tenant',
        'proven tenant 3',
      ],
      ['of another application, without another factor', 'proven side 1', 'api', [], 'quarantined side'],
      [
        'of another application, after an email code',
        'proven side 1',
        'api',
        [mail],
        'proven tenant',
        'proven tenant 1',
      ],
      [
        'of another application, after an email code valid only in this application',
        'proven side 1',
        'api',
        [here],
        'quarantined side',
      ],
    ],
  ],
])('trust level of a proven phone number: %s', (_who, user, rows) => {
  test.each(rows)(
    'the trust in a verified phone number depends on how the number was verified: %s',
    (...row) => {
      const [_title, number, surface, proofs, use, trust, newGenerations] = row;
      expect(prove(user, number, surface, proofs)).toEqual({
        use,
        trust: trust && parseTrust(trust),
        newGenerations,
      });
    },
  );
});

test.each<[string, Partial<User>, readonly MethodUse[], boolean]>([
  ['a proven address', {}, [], true],
  ['an address of another application', { email: { ...email, scope: 'side' } }, [], false],
  ['a superseded address', { email: { ...email, generation: 0 } }, [], false],
  ['an address verified without all factor types', { email: { ...email, standing: 'verified' } }, [], false],
  [
    'an address that a backend has set later',
    { email: { ...email, standing: 'claimed', generation: 2 } },
    [],
    true,
  ],
  [
    'an address that a backend has set later, after another factor',
    { email: { ...email, standing: 'claimed', generation: 2 } },
    [mail],
    false,
  ],
  [
    'an address that the backend of another application has set later',
    { email: { ...email, standing: 'claimed', scope: 'side', generation: 2 } },
    [],
    true,
  ],
  [
    'an address of a new user',
    { email: { ...email, ...claimed }, generations: UNPROVEN_GENERATIONS },
    [],
    true,
  ],
  [
    'an address of a new user of another application',
    { email: { ...email, ...claimed, scope: 'side' }, generations: UNPROVEN_GENERATIONS },
    [],
    false,
  ],
])(
  'the proof of %s (user fields %j, earlier proofs %j) can be evaluated without reading the user’s passkeys (expected: %s)',
  (_title, change, proofs, expected) => {
    const user = someUser({
      email,
      lastAuthAt: T,
      generations: { ...PROVEN_GENERATIONS, highest: 2 },
      ...change,
    });
    const application = someApplication({ applicationId: 'app' });
    const ask = (asked: User) => canProveWithoutPasskeys(asked, asked.email ?? email, application, proofs);
    expect(ask(user)).toBe(expected);
    // Before the user's first login, no credential can be superseded, so the passkeys need not be read.
    const { lastAuthAt: _, ...fresh } = user;
    expect(ask(fresh)).toBe(true);
  },
);
