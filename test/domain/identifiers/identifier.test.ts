import { describe, expect, test } from '@jest/globals';
import {
  findHolderId,
  findOwner,
  hasIdentifier,
  listIdentifiers,
  normaliseIdentifier,
  readIdentifier,
} from '../../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someAddress, someTenant, someUser, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const salted = (byte: number) => someTenant({ salt: Buffer.alloc(32, byte).toString('base64url') });

describe('normalising identifiers', () => {
  test.each([
    ['email', ' Ann@Example.COM ', 'ann@example.com'],
    ['email', 'zoe\u0308@example.com', 'zoë@example.com'],
    ['phone_number', '+1 (201) 555-0123', '+12015550123'],
    ['username', ' Ann ', 'ann'],
    ['username', 'ZOE\u0308', 'zoë'],
    ['user_id', 'AbC', 'AbC'],
    ['loyalty_card', ' A-7 ', ' A-7 '],
  ])('the identifier of the type %s with the value %j is normalised to %j', (type, value, expected) => {
    expect(normaliseIdentifier(type, value)).toEqual({ type, value: expected });
  });

  test.each([
    ['email', 'ann'],
    ['phone_number', '0201 555'],
    ['username', '  '],
    ['user_id', ''],
    ['loyalty_card', ''],
  ])('an invalid identifier of the type %s is rejected: %j', (type, value) => {
    expect(normaliseIdentifier(type, value)).toBeUndefined();
    expect(() => readIdentifier(type, value)).toThrow(
      expect.objectContaining({ key: 'system_invalid_input', message: `identifier: is not a valid ${type}` }),
    );
  });

  test('the error about an invalid identifier does not contain the identifier', () => {
    expect(() => readIdentifier('email', 'hunter2')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});

describe("list of a user's identifiers", () => {
  const user = someUser({
    userId: 'u1',
    email: someAddress('Ann@Example.com'),
    phoneNumber: someAddress('+12015550123'),
    username: 'Ann',
    customIdentifiers: [{ type: 'loyalty_card', value: 'A-7' }],
  });

  test('listIdentifiers returns all identifiers of a user in normalised form', () => {
    expect(listIdentifiers(user)).toEqual([
      { type: 'email', value: 'ann@example.com' },
      { type: 'phone_number', value: '+12015550123' },
      { type: 'username', value: 'ann' },
      { type: 'loyalty_card', value: 'A-7' },
    ]);
    expect(listIdentifiers(someUser())).toEqual([]);
  });

  test('hasIdentifier returns true for each identifier of the user and for the user ID', () => {
    for (const identifier of [...listIdentifiers(user), { type: 'user_id', value: 'u1' }])
      expect(hasIdentifier(user, identifier)).toBe(true);
  });

  test('hasIdentifier returns false for an identifier with another type or value', () => {
    for (const identifier of [
      { type: 'email', value: 'bob@example.com' },
      { type: 'username', value: 'ann@example.com' },
      { type: 'user_id', value: 'U1' },
      { type: 'loyalty_card', value: 'a-7' },
      { type: 'club_card', value: 'A-7' },
    ])
      expect(hasIdentifier(user, identifier)).toBe(false);
  });
});

describe('hashes of identifiers', () => {
  const email = { type: 'email', value: 'ann@example.com' };

  test('hashing the same identifier twice in one tenant gives the same hash', () => {
    const tenant = salted(1);
    expect(identifierHash(tenant, email)).toBe(identifierHash({ ...tenant }, { ...email }));
    expect(identifierHash(tenant, email)).toMatch(/^[\w-]{43}$/);
  });

  test('the same identifier has different hashes in different tenants', () => {
    expect(identifierHash(salted(1), email)).not.toBe(identifierHash(salted(2), email));
  });

  test('identifiers that differ in type or value have different hashes', () => {
    const tenant = salted(1);
    const identifiers = [
      email,
      { type: 'username', value: email.value },
      { type: 'email', value: 'bob@example.com' },
      { type: 'a', value: 'b\nc' },
    ];
    expect(new Set(identifiers.map((identifier) => identifierHash(tenant, identifier))).size).toBe(4);
  });
});

describeStore('identifier owners', (store) => {
  const identifier = { type: 'email', value: 'ann@example.com' };

  async function reserved() {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const user = someUser({ tenantId: tenant.tenantId, email: someAddress('ann@example.com') });
    await ports.userRecords.put(user);
    await ports.identifierReservations.reserve(tenant.tenantId, identifier, user.userId, T);
    return { ports, tenant, user };
  }

  test('an identifier belongs to the user who has reserved it', async () => {
    const { ports, tenant, user } = await reserved();
    const userId = await findHolderId(ports, tenant, identifier);
    expect(userId).toBe(user.userId);
    expect(await findOwner(ports, tenant, identifier, user.userId)).toEqual(user);
  });

  test('a user can be found by user ID without a reservation', async () => {
    const { ports, tenant, user } = await reserved();
    const byId = { type: 'user_id', value: user.userId };
    expect(await findHolderId(ports, tenant, byId)).toBe(user.userId);
    expect(await findOwner(ports, tenant, byId, user.userId)).toEqual(user);
  });

  test('an identifier without a reservation belongs to no user', async () => {
    const { ports, tenant } = await reserved();
    expect(await findHolderId(ports, tenant, { type: 'username', value: 'ann' })).toBeUndefined();
  });

  test('an identifier of a user is not found in another tenant', async () => {
    const { ports, user } = await reserved();
    const other = someTenant();
    expect(await findHolderId(ports, other, identifier)).toBeUndefined();
    expect(await findOwner(ports, other, identifier, user.userId)).toBeUndefined();
    const byId = { type: 'user_id', value: user.userId };
    expect(await findOwner(ports, other, byId, user.userId)).toBeUndefined();
  });

  test('an identifier has no owner after its user was deleted or was given another identifier', async () => {
    const { ports, tenant, user } = await reserved();
    expect(await findOwner(ports, tenant, identifier, unique('user'))).toBeUndefined();
    const renamed = { type: 'email', value: 'former@example.com' };
    expect(await findOwner(ports, tenant, renamed, user.userId)).toBeUndefined();
  });
});
