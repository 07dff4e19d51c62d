import { describe, expect, test } from '@jest/globals';
import { readClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';
import { isRequested, readStoredClaims, storedClaims } from '../../../shared/domain/claims/stored-claims.ts';
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

describe('storing claims requests', () => {
  const stored = storedClaims(tenant, request) ?? '';
  const { idToken, accessToken } = readStoredClaims(stored);

  test('a stored claims request contains no requested value in plain text', () => {
    for (const value of ['ann@example.com', 'staff', 'guests']) expect(stored).not.toContain(value);
  });

  test('a stored claims request matches the same claims and values as the original request', () => {
    expect([...idToken.keys(), ...accessToken.keys()]).toEqual(['email', 'name', 'groups', 'locale']);
    for (const read of [request.idToken, idToken]) {
      const wants = (name: 'email' | 'groups' | 'name', value: unknown) =>
        isRequested(tenant, read.get(name), value);
      expect(wants('email', 'ann@example.com')).toBe(true);
      expect(wants('email', 'ben@example.com')).toBe(false);
      expect(wants('groups', ['guests'])).toBe(true);
      expect(wants('groups', ['guests', 'staff'])).toBe(false);
      expect(wants('name', 'anything')).toBe(true);
      expect(read.get('groups')?.essential).toBe(true);
    }
    for (const read of [request.accessToken, accessToken])
      expect(isRequested(tenant, read.get('locale'), 'de')).toBe(false);
  });

  test('a claims request stored for one tenant matches no claim value in another tenant', () => {
    expect(storedClaims(tenant, readStoredClaims(stored))).toBe(stored);
    expect(isRequested(another, idToken.get('email'), 'ann@example.com')).toBe(false);
  });

  test('an authorization request without a claims parameter stores no claims record', () => {
    expect(storedClaims(tenant, readClaimsRequest(undefined))).toBeUndefined();
    const { idToken: none, accessToken: neither } = readStoredClaims(undefined);
    expect([none.size, neither.size]).toEqual([0, 0]);
  });
});
