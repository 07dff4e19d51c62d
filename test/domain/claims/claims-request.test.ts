import { describe, expect, test } from '@jest/globals';
import { CLAIMS_REQUEST_MAX_BYTES } from '../../../shared/domain/basis/limits.ts';
import { readClaimsRequest, writeClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';

const refused = (message: unknown) => expect.objectContaining({ key: 'system_invalid_input', message });

describe('parsing the claims parameter of an authorization request', () => {
  test('an authorization request without the claims parameter requests no claims', () => {
    const { idToken, accessToken } = readClaimsRequest(undefined);
    expect([...idToken, ...accessToken]).toEqual([]);
  });

  test('the claims parameter can request different claims for the ID token and the access token', () => {
    const request = readClaimsRequest({ id_token: { email: null }, access_token: { roles: null } });
    expect([...request.idToken.keys()]).toEqual(['email']);
    expect([...request.accessToken.keys()]).toEqual(['roles']);
  });

  test('unknown claims in the claims parameter are ignored', () => {
    const { idToken } = readClaimsRequest({
      id_token: { shoe_size: null, iss: { value: 'me' }, email: null },
    });
    expect([...idToken.keys()]).toEqual(['email']);
  });

  test('the claims parameter cannot request inherited property names such as __proto__', () => {
    const { idToken } = readClaimsRequest({ id_token: JSON.parse('{"__proto__": {"email": null}}') });
    expect(idToken.size).toBe(0);
  });

  test('a requested claim is essential only if its property "essential" is the boolean true', () => {
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

  test('if a requested claim has both value and values, value is ignored', () => {
    const { idToken } = readClaimsRequest({
      id_token: { acr: { value: 'mfa' }, locale: { value: 'de', values: ['en', 'fr'] }, email: {} },
    });
    expect(idToken.get('acr')?.values).toEqual(['mfa']);
    expect(idToken.get('locale')?.values).toEqual(['en', 'fr']);
    expect(idToken.get('email')).toEqual({ essential: false });
  });

  test('a claims request that contains too many values is rejected', () => {
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

  test('a requested claim value may be a list or a flat object', () => {
    const values = [['staff'], { amount: '5' }];
    expect(readClaimsRequest({ id_token: { groups: { values } } }).idToken.get('groups')?.values).toEqual(
      values,
    );
  });

  test('a claims request that contains a deeply nested value is rejected', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    for (const value of [deep, [[1]], { a: {} }])
      expect(() => readClaimsRequest({ id_token: { email: { value } } })).toThrow(
        refused('claims: a value must be a text, number, boolean, list or flat object'),
      );
  });

  test('a claims request of more than 4 KB is rejected', () => {
    const long = 'x'.repeat(CLAIMS_REQUEST_MAX_BYTES);
    expect(() => readClaimsRequest({ id_token: { email: { value: long } } })).toThrow(
      refused('claims: must be at most 4096 bytes'),
    );
    expect(readClaimsRequest({ id_token: { shoe_size: { value: long } } }).idToken.size).toBe(0);
    const read = (value: string) => readClaimsRequest({ id_token: { email: { value } } });
    const most = long.slice(Buffer.byteLength(writeClaimsRequest(read('')) ?? ''));
    expect(read(most).idToken.size).toBe(1);
    expect(() => read(`${most}x`)).toThrow('at most 4096 bytes');
  });

  test('serialising and parsing a claims request returns the original request', () => {
    const request = readClaimsRequest({
      id_token: { email: { essential: true }, acr: { values: ['mfa'] } },
      access_token: { groups: null },
    });
    expect(readClaimsRequest(JSON.parse(writeClaimsRequest(request) ?? ''))).toEqual(request);
  });

  test('an empty claims request is serialised as undefined', () => {
    expect(writeClaimsRequest(readClaimsRequest({ id_token: {}, access_token: { unknown: null } }))).toBe(
      undefined,
    );
  });
});
