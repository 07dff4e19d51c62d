import { expect, test } from '@jest/globals';
import { CLIENT_REVOCATIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { addRevocation, isRevoked } from '../../../shared/domain/oauth/client-revocations.ts';
import type { Client } from '../../../shared/ports/directory.ts';
import { someClient, T } from '../../support/server/records.ts';

const tokenAt = (issuedAt: number, jti = 'another') => ({ jti, issuedAt, secretId: 'secret' });

test('a client record stores the revocation of a token until the token expires', () => {
  const one = addRevocation(someClient(), 'one', T + 60, T);
  expect(isRevoked(addRevocation(one, 'two', T + 600, T + 59), tokenAt(T, 'one'))).toBe(true);
  expect(addRevocation(one, 'two', T + 600, T + 60).revoked).toEqual([{ id: 'two', until: T + 600 }]);
});

test('after too many token revocations, all earlier tokens of the client are revoked', () => {
  let client: Client = someClient();
  for (let n = 0; n <= CLIENT_REVOCATIONS_MAX; n += 1) {
    expect(isRevoked(client, tokenAt(T))).toBe(false);
    client = addRevocation(client, `token${n}`, T + 600, T);
  }
  expect(client.revoked).toEqual([]);
  expect(isRevoked(client, tokenAt(T))).toBe(true);
  expect(isRevoked(client, tokenAt(T, 'token0'))).toBe(true);
  expect(isRevoked(client, tokenAt(T + 1))).toBe(false);
});

test('revoking the same token repeatedly adds only one entry to the client record', () => {
  let client: Client = someClient();
  for (let n = 0; n <= CLIENT_REVOCATIONS_MAX; n += 1) client = addRevocation(client, 'same', T + 600, T);
  expect(client.revoked).toEqual([{ id: 'same', until: T + 600 }]);
  expect(isRevoked(client, tokenAt(T))).toBe(false);
});

test('revoking a client secret does not revoke tokens that were issued without a client secret', () => {
  const client = addRevocation(addRevocation(someClient(), 'secret', T + 600, T), 'one', T + 600, T);
  expect(isRevoked(client, { jti: 'another', issuedAt: T })).toBe(false);
  expect(isRevoked(client, { jti: 'one', issuedAt: T })).toBe(true);
});
