import { afterEach, expect, jest, test } from '@jest/globals';
import { CHANGE_ATTEMPTS, ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { requireUserByIdentifier } from '../../../shared/domain/identifiers/find-user.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { PROVEN_GENERATIONS, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import { changeUser } from '../../../shared/domain/users/change-user.ts';
import {
  listChangeEvents,
  listSupersedingFields,
  type UserChange,
  updateUser,
} from '../../../shared/domain/users/update-user.ts';
import type { RecordedProof, User } from '../../../shared/ports/people.ts';
import { editUser, makeUser, type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import { provenTrust, someAddress, someSession, someTenant, someUser } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  ['succeeds if the last permitted attempt is stored', CHANGE_ATTEMPTS, true],
  ['is rejected if all permitted attempts fail', CHANGE_ATTEMPTS + 1, false],
])('after retries because of concurrent updates, a user update %s', async (_title, successful, isStored) => {
  const user = someUser();
  const attempt = jest.fn(async (read: User) =>
    attempt.mock.calls.length === successful ? read : undefined,
  );
  const changing = changeUser({ userRecords: { find: async () => user } }, user, attempt);
  if (isStored) expect(await changing).toBe(user);
  else await expect(changing).rejects.toMatchObject({ key: 'concurrent_change' });
  expect(attempt).toHaveBeenCalledTimes(CHANGE_ATTEMPTS);
});

test('listSupersedingFields returns changed addresses that a backend has set without a login', () => {
  const email = someAddress('ann@example.com');
  const unproven = someAddress('+12015550123', { standing: 'claimed', generation: 2 });
  const before = someUser({ email });
  expect(listSupersedingFields(before, { ...before, phoneNumber: unproven })).toEqual(['phone_number']);
  expect(listSupersedingFields(before, { ...before, phoneNumber: { ...unproven, ...provenTrust } })).toEqual(
    [],
  );
  const withNumber = { ...before, phoneNumber: unproven };
  expect(listSupersedingFields(withNumber, { ...withNumber, username: 'ann' })).toEqual([]);
});

test.each<[Partial<User>, Partial<User>, readonly string[]]>([
  [{}, { username: 'ann' }, []],
  [{}, { email: someAddress('ann@example.com') }, ['user.email_added']],
  [
    { email: someAddress('ann@example.com') },
    { email: someAddress('b@example.com') },
    ['user.email_changed'],
  ],
  [{ phoneNumber: someAddress('+12015550123') }, {}, ['user.phone_changed']],
  [{}, { status: 'Disabled' }, ['user.suspended']],
  [{ status: 'Disabled' }, { status: 'Disabled' }, []],
  [{ status: 'Disabled' }, {}, []],
])('changing the user fields %j to %j causes the events %j', (before, after, events) => {
  expect(listChangeEvents(someUser(before), someUser(after))).toEqual(events);
});

describeStore('changing users', (store) => {
  test.each<[string, Partial<User>, Partial<UserChange>, readonly boolean[]]>([
    ['a new username', { username: 'anna' }, {}, []],
    ['an added phone number', { phoneNumber: someAddress('+12015550123') }, {}, []],
    // The sessions are ended before and after the change is stored.
    ['a new email address', { email: someAddress('new@example.com') }, {}, [true, true]],
    ['a new email address', { email: someAddress('new@example.com') }, { endsSessions: false }, []],
    ['the status Disabled', { status: 'Disabled' }, {}, [false]],
  ])(
    '%s ends sessions if it replaces an address or blocks the user (%j, %j)',
    async (_, fields, how, keepsOwn) => {
      const ports = storedPorts(store());
      const tenant = someTenant();
      const { userId } = await makeUser(ports, tenant, { email: 'ann@example.com', username: 'ann' });
      const endAllOf = jest.spyOn(ports.sessions, 'endAllOf');
      const apply = (user: User) => ({ ...user, ...fields });
      const change = { apply, undoCondition: 'link', ownSessionId: 'own', ...how } as const;
      await updateUser(ports, { tenant, userId }, change, 7);
      expect(endAllOf.mock.calls).toEqual(keepsOwn.map((keeps) => [userId, 7, ...(keeps ? ['own'] : [])]));
    },
  );

  test('a backend may name a former email address of a user only if it was verified', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const formerEmails = async (standing: 'claimed' | 'verified') => {
      const user = await makeUser(ports, tenant, { email: 'ann@example.com', username: 'ann' });
      const email = { ...someAddress('ann@example.com'), standing };
      await ports.userRecords.replace(user, { ...user, email });
      const fields = { email: 'new@example.com', username: 'anna' };
      const changed = await editUser(ports, tenant, user.userId, fields);
      await editUser(ports, tenant, user.userId, { email: null, username: `former-${standing}` });
      return changed.formerEmails;
    };
    expect(await formerEmails('claimed')).toEqual([]);
    const hash = identifierHash(tenant, { type: 'email', value: 'ann@example.com' });
    expect(await formerEmails('verified')).toEqual([hash]);
  });

  test('if a user is erased during an update, the new username becomes free immediately', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const replace = async () => !(await ports.userRecords.remove(userId));
    const erasing = { ...ports, userRecords: { ...ports.userRecords, replace } };
    const editing = editUser(erasing, tenant, userId, { username: 'anna' });
    await expect(editing).rejects.toMatchObject({ key: 'user_not_found' });
    await expect(makeUser(ports, tenant, { username: 'anna' })).resolves.toBeDefined();
  });

  test('changing only the letter case of an email address makes the address unverified', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await makeUser(ports, tenant, { email: 'ann@example.com' });
    const proven: RecordedProof = {
      ...{ attribute: 'email', value: 'ann@example.com' },
      ...{ trust: provenTrust, newGenerations: PROVEN_GENERATIONS },
    };
    await ports.users.recordLogin({ userId, generations: UNPROVEN_GENERATIONS, at: 1, proven });
    const changed = await editUser(ports, tenant, userId, { email: 'Ann@example.com' });
    expect(changed.email).toMatchObject({ value: 'Ann@example.com', standing: 'claimed', generation: 1 });
    expect((await requireUserByIdentifier(ports, tenant, 'email', 'ann@example.com')).userId).toBe(userId);
  });

  test('a user update that sets an identifier of another user is rejected', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    await makeUser(ports, tenant, { username: 'bob' });
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    await expect(
      editUser(ports, tenant, userId, { username: 'bob', email: 'ann@example.com' }),
    ).rejects.toMatchObject({ key: 'identifier_taken' });
    await expect(makeUser(ports, tenant, { email: 'ann@example.com' })).resolves.toBeDefined();
    expect((await ports.users.find(userId))?.username).toBe('ann');
  });

  test('concurrent updates to different fields of a user are all stored', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    await Promise.all([
      editUser(ports, tenant, userId, { username: 'anna' }),
      editUser(ports, tenant, userId, { picture: 'https://example.com/ann.png' }),
      editUser(ports, tenant, userId, { name: { first_name: 'Ann' } }),
      ports.users.recordLogin({ userId, generations: UNPROVEN_GENERATIONS, at: 7 }),
    ]);
    expect(await ports.users.find(userId)).toMatchObject({
      username: 'anna',
      picture: 'https://example.com/ann.png',
      firstName: 'Ann',
      lastAuthAt: 7,
    });
  });

  test('an email address set by concurrent updates stays reserved if one of the updates fails', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    await makeUser(ports, tenant, { username: 'zoe' });
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const email = 'ann@example.com';
    await Promise.allSettled([
      editUser(ports, tenant, userId, { email }),
      editUser(ports, tenant, userId, { email, username: 'zoe' }),
      editUser(ports, tenant, userId, { email }),
    ]);
    expect((await requireUserByIdentifier(ports, tenant, 'email', email)).userId).toBe(userId);
  });

  test('if a user update crashes before its write, the new username becomes free after one minute', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const dying: StoredPorts = {
      ...ports,
      userRecords: { ...ports.userRecords, replace: () => Promise.reject(new Error('killed')) },
    };
    await expect(editUser(dying, tenant, userId, { username: 'anna' })).rejects.toThrow('killed');
    await expect(makeUser(ports, tenant, { username: 'anna' })).rejects.toMatchObject({
      key: 'identifier_taken',
    });
    const later = Date.now() + ORPHANED_RESERVATION_SECONDS * 1000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await expect(makeUser(ports, tenant, { username: 'anna' })).resolves.toBeDefined();
  });

  test('if a user update crashes after its write, the previous username becomes free', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const dying: StoredPorts = {
      ...ports,
      identifierReservations: {
        ...ports.identifierReservations,
        release: () => Promise.reject(new Error('killed')),
      },
    };
    await expect(editUser(dying, tenant, userId, { username: 'anna' })).rejects.toThrow('killed');
    expect((await requireUserByIdentifier(ports, tenant, 'username', 'anna')).userId).toBe(userId);
    await expect(requireUserByIdentifier(ports, tenant, 'username', 'ann')).rejects.toMatchObject({
      key: 'user_not_found',
    });
    const later = Date.now() + ORPHANED_RESERVATION_SECONDS * 1000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await expect(makeUser(ports, tenant, { username: 'ann' })).resolves.toBeDefined();
  });

  test('repeating an interrupted change of the email address ends the remaining sessions', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await makeUser(ports, tenant, { email: 'ann@example.com' });
    const session = someSession({ userId, tenantId: tenant.tenantId });
    await ports.sessions.start(session);
    const endAllOf = jest
      .spyOn(ports.sessions, 'endAllOf')
      .mockRejectedValueOnce(new Error('the store is down'));
    const change = () => editUser(ports, tenant, userId, { email: 'ann@new.example' });
    await expect(change()).rejects.toThrow('the store is down');
    await change();
    expect(endAllOf.mock.calls.length).toBeGreaterThan(1);
    expect(await ports.sessions.find(session.sessionId, session.startedAt)).toBeUndefined();
  });
});
