import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CUSTOM_DATA_MAX_BYTES, CUSTOM_DATA_MAX_DEPTH } from '../../../shared/domain/basis/limits.ts';
import { readCustomAppData } from '../../../shared/domain/users/custom-app-data.ts';
import { userRecord, userWithFields } from '../../../shared/domain/users/user-record.ts';
import type { UserFields } from '../../../shared/schemas/users.ts';
import { someUser } from '../../support/server/records.ts';

const ann = someUser({ username: 'ann' });
const apply = (fields: UserFields, user = ann) => userWithFields(user, fields, 7);
const complaint = (fields: UserFields, user = ann) => {
  try {
    apply(fields, user);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('fields of a user', () => {
  test('absent stays, null removes, a value replaces', () => {
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
    expect(userRecord(whole)).toMatchObject({
      email: { value: 'Ann@Example.com', email_verified: false },
      phone_number: { value: '+12015550123', phone_number_verified: false },
      username: 'ann',
      name: { first_name: 'Ann', last_name: 'Lee' },
      groups: ['a', 'b'],
      updated_at: '1970-01-01T00:00:07.000Z',
    });
    expect(apply({}, whole)).toEqual(whole);
    expect(userRecord(apply({ name: { last_name: null } }, whole)).name).toEqual({ first_name: 'Ann' });

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
    expect(userRecord(bare)).toEqual({
      user_id: ann.userId,
      status: 'Active',
      roles: [],
      username: 'ann',
      custom_identifiers: [],
      groups: [],
      identities: [],
      created_at: expect.any(String),
      updated_at: '1970-01-01T00:00:07.000Z',
    });
  });

  test('a verified address stays so only while it is written the same', () => {
    const user = { ...ann, phoneNumber: { value: '+12015550123', verified: true } };
    expect(apply({ phone_number: '+1 (201) 555 0123' }, user).phoneNumber?.verified).toBe(true);
    expect(apply({ phone_number: '+12015550124' }, user).phoneNumber?.verified).toBe(false);
  });

  test('one of email, phone number and username must remain', () => {
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
  ] satisfies [UserFields, string | RegExp][])('%j is refused', (fields, message) => {
    expect(complaint(fields)).toMatch(message);
  });

  test('a custom identifier given twice is kept once', () => {
    const card = { type: 'card', value: '7' };
    expect(apply({ custom_identifiers: [card, { ...card }] }).customIdentifiers).toEqual([card]);
  });
});

describe('custom_app_data', () => {
  test('up to 16 KB as JSON and 20 levels', () => {
    const fits = { text: 'x'.repeat(CUSTOM_DATA_MAX_BYTES - '{"text":""}'.length) };
    expect(readCustomAppData(fits)).toEqual(fits);
    expect(() => readCustomAppData({ text: `${fits.text}x` })).toThrow('must be at most 16384 bytes as JSON');

    const nested = (levels: number): object => (levels === 1 ? {} : { deeper: nested(levels - 1) });
    expect(readCustomAppData(nested(CUSTOM_DATA_MAX_DEPTH))).toBeDefined();
    expect(() => readCustomAppData(nested(CUSTOM_DATA_MAX_DEPTH + 1))).toThrow('at most 20 levels deep');
  });

  test('no depth overflows the stack', () => {
    const deep: unknown = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(() => readCustomAppData(deep)).toThrow('at most 20 levels deep');
  });

  test('__proto__ is refused by name at any depth', () => {
    for (const text of ['{"__proto__":{}}', '{"a":[{"__proto__":1}]}'])
      expect(() => readCustomAppData(JSON.parse(text))).toThrow('the key __proto__ is not allowed');
    expect(readCustomAppData({ constructor: 'Vauxhall' })).toEqual({ constructor: 'Vauxhall' });
  });

  test('whatever JSON is given is kept or refused, never broken', () => {
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
