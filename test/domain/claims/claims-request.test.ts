import { describe, expect, test } from '@jest/globals';
import { CLAIMS_REQUEST_MAX_BYTES } from '../../../shared/domain/basis/limits.ts';
import { readClaimsRequest, writeClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';

const refused = (message: unknown) => expect.objectContaining({ key: 'system_invalid_input', message });

describe('claims request', () => {
  test('an absent claims request asks for no claims', () => {
    const { idToken, accessToken } = readClaimsRequest(undefined);
    expect([...idToken, ...accessToken]).toEqual([]);
  });

  test('a claims request lists the claims of the ID token and of the access token separately', () => {
    const request = readClaimsRequest({ id_token: { email: null }, access_token: { roles: null } });
    expect([...request.idToken.keys()]).toEqual(['email']);
    expect([...request.accessToken.keys()]).toEqual(['roles']);
  });

  test('a claims request may name unknown claims, which are ignored', () => {
    const { idToken } = readClaimsRequest({
      id_token: { shoe_size: null, iss: { value: 'me' }, email: null },
    });
    expect([...idToken.keys()]).toEqual(['email']);
  });

  test('a claims request cannot ask for names that objects inherit, such as __proto__', () => {
    const { idToken } = readClaimsRequest({ id_token: JSON.parse('{"__proto__": {"email": null}}') });
    expect(idToken.size).toBe(0);
  });

  test('a requested claim is essential only if essential is the boolean true', () => {
    const { idToken } = readClaimsRequest({
      id_token: { email: { essential: true }, name: { essential: 'yes' }, acr: null, picture: 'please' },
    });
    expect([...idToken].map(([name, { essential }]) => [name, essential])).toEqual([
      ['email', true],
      ['name', false],
      ['picture', false],
      ['acr', false],
    ]);
  });

  test('value is read as a list of one value, and values takes precedence over value', () => {
    const { idToken } = readClaimsRequest({
      id_token: { acr: { value: 'mfa' }, locale: { value: 'de', values: ['en', 'fr'] }, email: {} },
    });
    expect(idToken.get('acr')?.values).toEqual(['mfa']);
    expect(idToken.get('locale')?.values).toEqual(['en', 'fr']);
    expect(idToken.get('email')).toEqual({ essential: false });
  });

  test('rejects a claims request with more than the maximum number of values', () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => index);
    const most = {
      id_token: { email: { values: values(30) }, name: null },
      access_token: { name: { values: values(20) } },
    };
    expect(readClaimsRequest(most).idToken.get('email')?.values).toHaveLength(30);
    const more = { ...most, access_token: { name: { values: values(21) } } };
    expect(() => readClaimsRequest(more)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('values') }),
    );
  });

  test('lists and flat objects are accepted as values of requested claims', () => {
    const values = [['staff'], { amount: '5' }];
    expect(readClaimsRequest({ id_token: { groups: { values } } }).idToken.get('groups')?.values).toEqual(
      values,
    );
  });

  test('rejects a requested value that is nested more deeply, because it could not be serialised again', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    for (const value of [deep, [[1]], { a: {} }])
      expect(() => readClaimsRequest({ id_token: { email: { value } } })).toThrow(
        refused('claims: a value must be a text, number, boolean, list or flat object'),
      );
  });

  test('rejects a claims request over 4 KB, not counting unknown names', () => {
    const long = 'x'.repeat(CLAIMS_REQUEST_MAX_BYTES);
    expect(() => readClaimsRequest({ id_token: { email: { value: long } } })).toThrow(
      refused('claims: must be at most 4096 bytes'),
    );
    expect(readClaimsRequest({ id_token: { shoe_size: { value: long } } }).idToken.size).toBe(0);
  });

  test('a claims request that is serialised is read back unchanged', () => {
    const request = readClaimsRequest({
      id_token: { email: { essential: true }, acr: { values: ['mfa'] } },
      access_token: { groups: null },
    });
    expect(readClaimsRequest(JSON.parse(writeClaimsRequest(request) ?? ''))).toEqual(request);
  });

  test('an empty claims request is not serialised', () => {
    expect(writeClaimsRequest(readClaimsRequest({ id_token: {}, access_token: { unknown: null } }))).toBe(
      undefined,
    );
  });
});
