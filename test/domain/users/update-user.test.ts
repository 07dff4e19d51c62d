import { afterEach, expect, jest, test } from '@jest/globals';
import { ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { requireUserByIdentifier } from '../../../shared/domain/identifiers/find-user.ts';
import { createUser } from '../../../shared/domain/users/create-user.ts';
import { updateUser } from '../../../shared/domain/users/update-user.ts';
import { type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import { someSession, someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

describeStore('changing users', (store) => {
  test('an address in another case is unverified: it may be another mailbox', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await createUser(ports, tenant, { email: 'ann@example.com' }, nowSeconds());
    const proven = { attribute: 'email', value: 'ann@example.com' } as const;
    await ports.users.recordLogin({ userId, at: 1, proven });
    const changed = await updateUser(ports, tenant, userId, { email: 'Ann@example.com' }, nowSeconds());
    expect(changed.email).toEqual({ value: 'Ann@example.com', verified: false });
    expect((await requireUserByIdentifier(ports, tenant, 'email', 'ann@example.com')).userId).toBe(userId);
  });

  test('an identifier of another user is refused and nothing is kept of the attempt', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    await createUser(ports, tenant, { username: 'bob' }, nowSeconds());
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    await expect(
      updateUser(ports, tenant, userId, { username: 'bob', email: 'ann@example.com' }, nowSeconds()),
    ).rejects.toMatchObject({ key: 'identifier_taken' });
    await expect(
      createUser(ports, tenant, { email: 'ann@example.com' }, nowSeconds()),
    ).resolves.toBeDefined();
    expect((await ports.users.find(userId))?.username).toBe('ann');
  });

  test('of many users who want one name exactly one gets it', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const users = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createUser(ports, tenant, { email: `u${index}@example.com` }, nowSeconds()),
      ),
    );
    const settled = await Promise.allSettled(
      users.map(({ userId }) => updateUser(ports, tenant, userId, { username: 'ann' }, nowSeconds())),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('changes of one user at the same time are all made', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    await Promise.all([
      updateUser(ports, tenant, userId, { email: 'ann@example.com' }, nowSeconds()),
      updateUser(ports, tenant, userId, { picture: 'https://example.com/ann.png' }, nowSeconds()),
      updateUser(ports, tenant, userId, { name: { first_name: 'Ann' } }, nowSeconds()),
      ports.users.recordLogin({ userId, at: 7 }),
    ]);
    expect(await ports.users.find(userId)).toMatchObject({
      email: { value: 'ann@example.com' },
      picture: 'https://example.com/ann.png',
      firstName: 'Ann',
      lastAuthAt: 7,
    });
  });

  test('the same new name, twice at the same time and given up by one of them, still leads to the user', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    await createUser(ports, tenant, { username: 'zoe' }, nowSeconds());
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    const email = 'ann@example.com';
    await Promise.allSettled([
      updateUser(ports, tenant, userId, { email }, nowSeconds()),
      updateUser(ports, tenant, userId, { email, username: 'zoe' }, nowSeconds()),
      updateUser(ports, tenant, userId, { email }, nowSeconds()),
    ]);
    expect((await requireUserByIdentifier(ports, tenant, 'email', email)).userId).toBe(userId);
  });

  test('a crash before the write leaves nothing that lasts', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    const dying: StoredPorts = {
      ...ports,
      userRecords: { ...ports.userRecords, replace: () => Promise.reject(new Error('killed')) },
    };
    await expect(updateUser(dying, tenant, userId, { username: 'anna' }, nowSeconds())).rejects.toThrow(
      'killed',
    );
    await expect(createUser(ports, tenant, { username: 'anna' }, nowSeconds())).rejects.toMatchObject({
      key: 'identifier_taken',
    });
    const later = Date.now() + ORPHANED_RESERVATION_SECONDS * 1000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await expect(createUser(ports, tenant, { username: 'anna' }, nowSeconds())).resolves.toBeDefined();
  });

  test('after a crash following the write, another user can take the former name', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await createUser(ports, tenant, { username: 'ann' }, nowSeconds());
    const dying: StoredPorts = {
      ...ports,
      identifierReservations: {
        ...ports.identifierReservations,
        release: () => Promise.reject(new Error('killed')),
      },
    };
    await expect(updateUser(dying, tenant, userId, { username: 'anna' }, nowSeconds())).rejects.toThrow(
      'killed',
    );
    expect((await requireUserByIdentifier(ports, tenant, 'username', 'anna')).userId).toBe(userId);
    await expect(requireUserByIdentifier(ports, tenant, 'username', 'ann')).rejects.toMatchObject({
      key: 'user_not_found',
    });
    const later = Date.now() + ORPHANED_RESERVATION_SECONDS * 1000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await expect(createUser(ports, tenant, { username: 'ann' }, nowSeconds())).resolves.toBeDefined();
  });

  test('another address ends the sessions also when the first attempt could not, and the call is repeated', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { userId } = await createUser(ports, tenant, { email: 'ann@example.com' }, nowSeconds());
    const session = someSession({ userId, tenantId: tenant.tenantId });
    await ports.sessions.start(session);
    const endAllOf = jest
      .spyOn(ports.sessions, 'endAllOf')
      .mockRejectedValueOnce(new Error('the store is down'));
    const change = () => updateUser(ports, tenant, userId, { email: 'ann@new.example' }, nowSeconds());
    await expect(change()).rejects.toThrow('the store is down');
    await change();
    expect(endAllOf.mock.calls.length).toBeGreaterThan(1);
    expect(await ports.sessions.find(session.sessionId, session.startedAt)).toBeUndefined();
  });
});
