import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CUSTOM_DATA_MAX_BYTES, CUSTOM_DATA_MAX_DEPTH } from '../../../shared/domain/basis/limits.ts';
import { TENANT_WIDE, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import type { AddressChangeSource } from '../../../shared/domain/trust/given-address.ts';
import { readCustomAppData } from '../../../shared/domain/users/custom-app-data.ts';
import { withPhoneRecovery } from '../../../shared/domain/users/pending-recovery.ts';
import { applyUserFields, toUserRecord } from '../../../shared/domain/users/user-record.ts';
import type { Address, User, UserFields } from '../../../shared/ports/people.ts';
import type { Generations, Trust } from '../../../shared/ports/trust.ts';
import { someAddress, someApplication, someTenant, someUser } from '../../support/server/records.ts';

const ann = someUser({ username: 'ann', applications: ['app'] });
const backend: AddressChangeSource = { how: 'backend', scope: 'app' };
const apply = (fields: UserFields, user = ann, by: AddressChangeSource = backend) =>
  applyUserFields(user, fields, 7, by);
const complaint = (fields: UserFields, user = ann) => {
  try {
    apply(fields, user);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('fields of the user record', () => {
  test("a user's external ID cannot be removed if the user has no other identifier", () => {
    const { username: _, ...nameless } = ann;
    const external = { ...nameless, externalIds: [{ applicationId: 'app', value: 'x-1' }] };
    expect(apply({ groups: ['a'] }, external)).toMatchObject({ groups: ['a'] });
    expect(complaint({ external_user_id: null }, external)).toMatch(
      /one of email, phone_number and username/,
    );
    for (const user of [ann, { ...external, username: 'ann' }])
      expect(complaint({ username: null }, user)).toMatch(/one of email, phone_number and username/);
  });

  test('a user update keeps absent fields unchanged and removes fields with the value null', () => {
    const whole = apply({
      email: ' Ann@Example.com ',
      phone_number: '+1 201-555-0123',
      external_user_id: 'x-1',
      custom_identifiers: [{ type: 'card', value: '7' }],
      name: { first_name: 'Ann', last_name: 'Lee' },
      picture: 'https://example.com/a.png',
      language: 'fr-CA',
      groups: ['a', 'b', 'a'],
      custom_app_data: { plan: 'pro' },
    });
    expect(toUserRecord(whole)).toMatchObject({
      email: { value: 'Ann@Example.com', email_verified: false },
      phone_number: { value: '+12015550123', phone_number_verified: false },
      username: 'ann',
      name: { first_name: 'Ann', last_name: 'Lee' },
      groups: ['a', 'b'],
      updated_at: '1970-01-01T00:00:07.000Z',
    });
    expect(apply({}, whole)).toEqual(whole);
    expect(toUserRecord(apply({ name: { last_name: null } }, whole)).name).toEqual({ first_name: 'Ann' });
    const turned = { first_name: '\u202eAnn\u2069', last_name: 'L\u2066ee' };
    expect(toUserRecord(apply({ name: turned }, whole)).name).toEqual({
      first_name: 'Ann',
      last_name: 'Lee',
    });

    const bare = apply(
      {
        email: null,
        phone_number: null,
        external_user_id: null,
        custom_identifiers: null,
        name: null,
        picture: null,
        language: null,
        groups: null,
        custom_app_data: null,
      },
      whole,
    );
    expect(toUserRecord(bare)).toEqual({
      user_id: ann.userId,
      status: 'Active',
      roles: [],
      username: 'ann',
      custom_identifiers: [],
      groups: [],
      identities: [],
      applications: ['app'],
      created_at: expect.any(String),
      updated_at: '1970-01-01T00:00:07.000Z',
    });
  });

  test('a user update cannot remove the last remaining email address, phone number or username', () => {
    const required = 'body: one of email, phone_number and username is required';
    expect(complaint({ username: null })).toBe(required);
    expect(complaint({ username: null, email: 'a@example.com' })).toBeUndefined();
    expect(complaint({ username: null, custom_identifiers: [{ type: 'card', value: '7' }] })).toBe(required);
  });

  test.each([
    [{ email: 'no address' }, 'email: is not an email address'],
    [{ phone_number: '0201 555' }, /^phone_number: is not an international phone number/],
    [{ username: '   ' }, /^username: must not be empty/],
    [{ username: 'a b' }, /^username: /],
    [{ username: 'ann\u200b' }, /^username: /],
    [
      { custom_identifiers: [{ type: 'email', value: 'x' }] },
      'custom_identifiers: email is not a custom type',
    ],
    [{ custom_app_data: [] }, 'custom_app_data: must be an object'],
    [{ custom_app_data: 'text' }, 'custom_app_data: must be an object'],
  ] satisfies [UserFields, string | RegExp][])('a user with the fields %j is rejected', (fields, message) => {
    expect(complaint(fields)).toMatch(message);
  });

  test('a custom identifier that a request contains twice is stored only once', () => {
    const card = { type: 'card', value: '7' };
    expect(apply({ custom_identifiers: [card, { ...card }] }).customIdentifiers).toEqual([card]);
  });
});

const login: AddressChangeSource = { how: 'login', standing: 'verified', scope: TENANT_WIDE };
const made: AddressChangeSource = { how: 'made', scope: 'app' };
const operator: AddressChangeSource = { how: 'operator', scope: TENANT_WIDE, delayedUntil: 99 };
const stated = { phone_number_verified: true };
const at = (standing: Trust['standing'], scope: string, generation: number, since = 7): Trust => ({
  ...{ standing, scope, generation, since },
});

describe("field phone_number_verified and the trust level of a user's phone number", () => {
  const fresh = someUser({ username: 'ann', generations: UNPROVEN_GENERATIONS });
  // A user whose addresses have changed twice and whose email address is still valid.
  const ada = someUser({ email: someAddress('a@example.com'), generations: { valid: [1, 2], highest: 3 } });
  const begun = ada.generations;

  const again = (...before: Parameters<typeof at>): User => ({
    ...{ ...ada, phoneNumber: { value: '+12015550123', ...at(...before) } },
  });
  const [proven, claimed] = [again('proven', TENANT_WIDE, 1, 3), again('claimed', 'app', 1, 3)];
  const waiting = again('claimed', 'app', 3, 3);
  const delayedUntil = 99;
  /** User who had the phone number before its last change. */
  const had = (standing: Trust['standing'], change: Partial<Address> = {}): User => ({
    ...ada,
    changes: [
      {
        ...{ changeId: 'id', changedAt: 3, until: 99, linkFrom: 99, validBefore: [1], undoCondition: 'link' },
        what: {
          attribute: 'phoneNumber',
          former: { value: '+12015550123', ...at(standing, TENANT_WIDE, 1, 3), ...change },
        },
      },
    ],
  });
  const counting = (numbers: readonly number[], last: number): Generations => ({
    valid: numbers,
    highest: last,
  });

  const withheld = (generation: number) => ({ ...at('claimed', TENANT_WIDE, generation), delayedUntil });

  test.each<[string, User, AddressChangeSource, UserFields, Trust, Generations]>([
    ['set at creation', fresh, made, {}, at('claimed', 'app', 1), UNPROVEN_GENERATIONS],
    ['set at creation as verified', fresh, made, stated, at('proven', 'app', 1), UNPROVEN_GENERATIONS],
    ['set by a backend', ada, backend, {}, at('claimed', 'app', 4), counting([1, 2], 4)],
    [
      'set as verified by a backend with the permission',
      ada,
      backend,
      stated,
      at('proven', 'app', 4),
      counting([1, 2, 4], 4),
    ],
    ['set by an operator', ada, operator, {}, withheld(4), counting([1, 2, 4], 4)],
    ['set by an operator before the first login', fresh, operator, {}, withheld(2), counting([0], 2)],
    ['added in a login', ada, login, {}, at('verified', TENANT_WIDE, 4), counting([1, 2, 4], 4)],
    ['set again in a login', claimed, login, {}, at('verified', TENANT_WIDE, 1), begun],
    ['set again by a backend', proven, backend, {}, at('proven', TENANT_WIDE, 1, 3), begun],
    [
      'set again as verified by a backend with the permission',
      waiting,
      backend,
      stated,
      at('proven', 'app', 2),
      begun,
    ],
    [
      'superseded and set again',
      again('proven', 'app', 0, 3),
      login,
      {},
      at('verified', TENANT_WIDE, 2),
      begun,
    ],
    [
      'proven in the tenant and set again as verified by a backend',
      proven,
      backend,
      stated,
      at('proven', TENANT_WIDE, 1),
      begun,
    ],
    [
      'proven in one application and set again as verified by another backend',
      again('proven', 'side', 1, 3),
      backend,
      stated,
      at('proven', 'app', 1),
      begun,
    ],
    [
      'verified in the tenant and set again as verified by a backend',
      again('verified', TENANT_WIDE, 1, 3),
      backend,
      stated,
      at('proven', 'app', 1),
      begun,
    ],
    [
      'superseded and set again as verified by a backend',
      again('proven', TENANT_WIDE, 0, 3),
      backend,
      stated,
      at('proven', 'app', 2),
      begun,
    ],
    [
      'set back by a backend',
      had('proven', { delayedUntil }),
      backend,
      {},
      at('claimed', TENANT_WIDE, 1),
      begun,
    ],
    [
      'set back by a backend before it was proven',
      had('claimed', { delayedUntil }),
      backend,
      {},
      withheld(1),
      begun,
    ],
    [
      'set back as verified by a backend',
      had('proven'),
      backend,
      stated,
      at('proven', 'app', 4),
      counting([1, 2, 4], 4),
    ],
    ['set back in a login', had('proven'), login, {}, at('verified', TENANT_WIDE, 4), counting([1, 2, 4], 4)],
    [
      'set by a backend before the first login',
      fresh,
      backend,
      {},
      at('claimed', 'app', 2),
      counting([0], 2),
    ],
    ['added in the first login', fresh, login, {}, at('verified', TENANT_WIDE, 0), UNPROVEN_GENERATIONS],
    [
      'set as verified before the first login',
      fresh,
      backend,
      stated,
      at('proven', 'app', 3),
      counting([0, 1, 3], 3),
    ],
  ])(
    'setting a phone number that is %s leads to the expected trust level and credential generations',
    (_title, user, by, fields, trust, generations) => {
      const changed = apply({ ...fields, phone_number: '+1 (201) 555 0123' }, user, by);
      expect(changed.phoneNumber).toEqual({ value: '+12015550123', ...trust });
      expect(changed.generations).toEqual(generations);
    },
  );

  test('phone_number_verified is rejected for a user without a phone number', () => {
    expect(complaint(stated)).toBe('phone_number_verified: the user has no such address');
  });

  test.each<[Partial<Address>, boolean, boolean]>([
    [{ standing: 'verified' }, true, true],
    [{ scope: 'app' }, true, false],
    [{ generation: 3 }, false, false],
    [{ standing: 'claimed' }, false, false],
  ])(
    'a phone number with %j is verified in its own application (%s) and in another application (%s)',
    (change, here, there) => {
      const user = { ...ada, phoneNumber: someAddress('+12015550123', change) };
      const shown = (applicationId: string) =>
        toUserRecord(user, someApplication({ applicationId })).phone_number?.phone_number_verified;
      expect([shown('app'), shown('side')]).toEqual([here, there]);
    },
  );

  test('the API response for a user contains the effects and problems of addresses', () => {
    const email = someAddress('a@example.com', {
      undeliverable: { reason: 'bounce', since: 7 },
      ...{ standing: 'claimed', delayedUntil: 9 },
    });
    const risk = { signal: 'sim_swap', observedAt: 5, reportedAt: 6 } as const;
    const phoneNumber = someAddress('+12015550123', { standing: 'claimed', generation: 9, risk });
    const erasure = { erasureId: 'id', requestedAt: 7, effectiveAt: 8, hasBegun: false };
    const user = { ...ada, email, phoneNumber, erasure };
    const time = (second: number) => `1970-01-01T00:00:0${second}.000Z`;
    const { email: shown, phone_number, erasure_at } = toUserRecord(user);
    expect([shown, phone_number, erasure_at]).toEqual([
      {
        ...{ value: email.value, email_verified: false, opens_at: time(9) },
        undeliverable: { reason: 'bounce', since: time(7) },
      },
      {
        ...{ value: phoneNumber.value, phone_number_verified: false, supersedes_account: true },
        risk: { signal: 'sim_swap', observed_at: time(5), reported_at: time(6) },
      },
      time(8),
    ]);
    const withReason = { ...user, phoneNumber: { ...phoneNumber, risk: { ...risk, reason: 'feed' } } };
    expect(toUserRecord(withReason).phone_number).toHaveProperty('risk.reason', 'feed');
  });

  test('the API response for a user contains the pending recovery of the user', () => {
    const user = withPhoneRecovery(someTenant(), ada, true, 7);
    expect(toUserRecord(user).recovery).toEqual({
      requested_at: '1970-01-01T00:00:07.000Z',
      effective_at: '9999-12-31T23:59:59.000Z',
      ends_at: '9999-12-31T23:59:59.000Z',
    });
  });
});

describe('limits on the user field custom_app_data', () => {
  test('custom_app_data is limited to 16 KB of JSON and 20 levels of nesting', () => {
    const fits = { text: 'x'.repeat(CUSTOM_DATA_MAX_BYTES - '{"text":""}'.length) };
    expect(readCustomAppData(fits)).toEqual(fits);
    expect(() => readCustomAppData(null)).toThrow('must be an object');
    expect(() => readCustomAppData({ text: `${fits.text}x` })).toThrow('must be at most 16384 bytes as JSON');

    const nested = (levels: number): object => (levels === 1 ? {} : { deeper: nested(levels - 1) });
    expect(readCustomAppData(nested(CUSTOM_DATA_MAX_DEPTH))).toBeDefined();
    expect(() => readCustomAppData(nested(CUSTOM_DATA_MAX_DEPTH + 1))).toThrow('at most 20 levels deep');
  });

  test('deeply nested custom_app_data is rejected without a stack overflow', () => {
    const deep: unknown = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(() => readCustomAppData(deep)).toThrow('at most 20 levels deep');
  });

  test('custom_app_data with the key __proto__ at any depth is rejected', () => {
    for (const text of ['{"__proto__":{}}', '{"a":[{"__proto__":1}]}'])
      expect(() => readCustomAppData(JSON.parse(text))).toThrow('the key __proto__ is not allowed');
    expect(readCustomAppData({ constructor: 'Vauxhall' })).toEqual({ constructor: 'Vauxhall' });
  });

  test('custom_app_data is either stored unchanged or rejected', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 30 })), (data) => {
        const sent: unknown = JSON.parse(JSON.stringify(data));
        try {
          expect(readCustomAppData(sent)).toEqual(sent);
        } catch (error) {
          expect(error).toMatchObject({ key: 'system_invalid_input' });
        }
      }),
      { seed, numRuns: 300 },
    );
  });
});
