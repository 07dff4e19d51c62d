import { describe, expect, test } from '@jest/globals';
import { CLAIMS_REQUEST_MAX_BYTES } from '../../../shared/domain/basis/limits.ts';
import { readClaimsRequest, writeClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';

const refused = (message: unknown) => expect.objectContaining({ key: 'system_invalid_input', message });

describe('claims request', () => {
  test('without one nothing is asked for', () => {
    const { idToken, accessToken } = readClaimsRequest(undefined);
    expect([...idToken, ...accessToken]).toEqual([]);
  });

  test('each token has a request of its own', () => {
    const request = readClaimsRequest({ id_token: { email: null }, access_token: { roles: null } });
    expect([...request.idToken.keys()]).toEqual(['email']);
    expect([...request.accessToken.keys()]).toEqual(['roles']);
  });

  test('unknown names are ignored', () => {
    const { idToken } = readClaimsRequest({
      id_token: { shoe_size: null, iss: { value: 'me' }, email: null },
    });
    expect([...idToken.keys()]).toEqual(['email']);
  });

  test('names that objects inherit are not asked for', () => {
    const { idToken } = readClaimsRequest({ id_token: JSON.parse('{"__proto__": {"email": null}}') });
    expect(idToken.size).toBe(0);
  });

  test('a claim may be essential, and only by the value true', () => {
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

  test('one value is a list of one, values wins over value', () => {
    const { idToken } = readClaimsRequest({
      id_token: { acr: { value: 'mfa' }, locale: { value: 'de', values: ['en', 'fr'] }, email: {} },
    });
    expect(idToken.get('acr')?.values).toEqual(['mfa']);
    expect(idToken.get('locale')?.values).toEqual(['en', 'fr']);
    expect(idToken.get('email')).toEqual({ essential: false });
  });

  test('so many values and no more: something is kept of each', () => {
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

  test('lists and flat objects are values, for there are claims of that form', () => {
    const values = [['staff'], { amount: '5' }];
    expect(readClaimsRequest({ id_token: { groups: { values } } }).idToken.get('groups')?.values).toEqual(
      values,
    );
  });

  test('what is nested deeper is refused: it could not be written down again', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    for (const value of [deep, [[1]], { a: {} }])
      expect(() => readClaimsRequest({ id_token: { email: { value } } })).toThrow(
        refused('claims: a value must be a text, number, boolean, list or flat object'),
      );
  });

  test('at most 4 KB are kept, unknown names not counted', () => {
    const long = 'x'.repeat(CLAIMS_REQUEST_MAX_BYTES);
    expect(() => readClaimsRequest({ id_token: { email: { value: long } } })).toThrow(
      refused('claims: must be at most 4096 bytes'),
    );
    expect(readClaimsRequest({ id_token: { shoe_size: { value: long } } }).idToken.size).toBe(0);
  });

  test('what is written down is read as the same request', () => {
    const request = readClaimsRequest({
      id_token: { email: { essential: true }, acr: { values: ['mfa'] } },
      access_token: { groups: null },
    });
    expect(readClaimsRequest(JSON.parse(writeClaimsRequest(request) ?? ''))).toEqual(request);
  });

  test('an empty request is not written down', () => {
    expect(writeClaimsRequest(readClaimsRequest({ id_token: {}, access_token: { unknown: null } }))).toBe(
      undefined,
    );
  });
});
