import { describe, expect, test } from '@jest/globals';
import { readClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';
import { isWanted, readStoredClaims, storedClaims } from '../../../shared/domain/claims/stored-claims.ts';
import { someTenant } from '../../support/server/records.ts';

const tenant = someTenant({ salt: Buffer.alloc(32, 1).toString('base64url') });
const another = someTenant({ salt: Buffer.alloc(32, 2).toString('base64url') });

const request = readClaimsRequest({
  id_token: {
    email: { value: 'ann@example.com' },
    groups: { values: [['staff'], ['guests']], essential: true },
    name: null,
  },
  access_token: { locale: { values: [] } },
});

describe('a claims request that is kept', () => {
  const stored = storedClaims(tenant, request) ?? '';
  const { idToken, accessToken } = readStoredClaims(stored);

  test('tells none of the values that were wanted', () => {
    for (const value of ['ann@example.com', 'staff', 'guests']) expect(stored).not.toContain(value);
  });

  test('asks for the same as before', () => {
    expect([...idToken.keys(), ...accessToken.keys()]).toEqual(['email', 'name', 'groups', 'locale']);
    for (const read of [request.idToken, idToken]) {
      const wants = (name: 'email' | 'groups' | 'name', value: unknown) =>
        isWanted(tenant, read.get(name), value);
      expect(wants('email', 'ann@example.com')).toBe(true);
      expect(wants('email', 'ben@example.com')).toBe(false);
      expect(wants('groups', ['guests'])).toBe(true);
      expect(wants('groups', ['guests', 'staff'])).toBe(false);
      expect(wants('name', 'anything')).toBe(true);
      expect(read.get('groups')?.essential).toBe(true);
    }
    for (const read of [request.accessToken, accessToken])
      expect(isWanted(tenant, read.get('locale'), 'de')).toBe(false);
  });

  test('stays as it is when it is kept once more, and means nothing to another tenant', () => {
    expect(storedClaims(tenant, readStoredClaims(stored))).toBe(stored);
    expect(isWanted(another, idToken.get('email'), 'ann@example.com')).toBe(false);
  });

  test('is nothing where nothing was asked for', () => {
    expect(storedClaims(tenant, readClaimsRequest(undefined))).toBeUndefined();
    const { idToken: none, accessToken: neither } = readStoredClaims(undefined);
    expect([none.size, neither.size]).toEqual([0, 0]);
  });
});
