import { expect, test } from '@jest/globals';
import { SENDS_PER_MINUTE } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toUserCounterKey } from '../../../shared/domain/credentials/guesses.ts';
import { codeKey } from '../../../shared/domain/credentials/one-time-code.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import { deleteApplication } from '../../../shared/domain/management/applications.ts';
import { countSend, recipientHash } from '../../../shared/domain/rate-limits/send-window.ts';
import { FIRST_GENERATION } from '../../../shared/domain/trust/generations.ts';
import { eraseUser } from '../../../shared/domain/users/erase-user.ts';
import { unlockUser } from '../../../shared/domain/users/unlock-user.ts';
import { windows } from '../../../shared/dynamo/flows/windows.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import { editUser, makeUser, type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import { codeState } from '../../support/server/code-state.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import {
  someAddress,
  someApplication,
  someCode,
  someMembership,
  someSession,
  someTenant,
  T,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

/** Creates a user with every type of record that a user can have. */
async function wholeUser(ports: StoredPorts, tenant: Tenant) {
  const { tenantId } = tenant;
  const applications = [someApplication({ tenantId }), someApplication({ tenantId })];
  for (const application of applications) await ports.applicationRecords.put(application);
  const user = await makeUser(ports, tenant, {
    email: 'ann@example.com',
    phone_number: '+12015550123',
    username: 'ann',
    custom_identifiers: [{ type: 'card', value: '7' }],
  });
  const identifiers = [
    { type: 'user_id', value: user.userId },
    { type: 'email', value: 'ann@example.com' },
    { type: 'phone_number', value: '+12015550123' },
    { type: 'username', value: 'ann' },
    { type: 'card', value: '7' },
  ];
  const keys = applications.flatMap((application) =>
    identifiers.flatMap((identifier) =>
      ['client:one', 'login:two'].map((slot) => codeKey(tenant, application, identifier, slot)),
    ),
  );
  const { userId } = user;
  for (const key of keys) await ports.otps.put(key, someCode({ userId }));
  await ports.membershipRecords.put(someMembership({ userId, tenantId }));
  await ports.sessions.start(someSession({ userId, tenantId }));
  return { user, identifiers, keys };
}

describeStore('erasing users', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);

  test.each([
    ['erasing', eraseUser],
    ['unlocking', unlockUser],
  ] as const)(
    'the number of database reads for %s a user does not depend on the number of applications',
    async (_title, act) => {
      const MORE = 20;
      const queriesWith = async (applications: number) => {
        const tenant = someTenant();
        const { tenantId } = tenant;
        const direct = storedPorts(store());
        for (let n = 0; n < applications; n += 1)
          await direct.applicationRecords.put(someApplication({ tenantId }));
        const { user, keys } = await wholeUser(direct, tenant);
        const reads = () => ['Query', 'BatchGetItem'].map((name) => proxy().calls.get(name) ?? 0);
        const before = reads();
        const ports = storedPorts({ ...store(), table });
        await act(ports, { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds()));
        for (const key of keys) expect(await codeState(store().table('flows'), key)).toBeUndefined();
        return reads().map((count, index) => count - (before[index] ?? 0));
      };
      const [few, many] = [await queriesWith(0), await queriesWith(MORE)];
      // The SDK may repeat a slow read, but one read for each additional application would exceed this limit.
      expect((many[0] ?? 0) - (few[0] ?? 0)).toBeLessThan(MORE);
      // The rate limit windows of 12 identifiers are read with one BatchGetItem call.
      expect((many[1] ?? 0) - (few[1] ?? 0)).toBeLessThan(MORE);
    },
  );

  test('erasing a user sends no delete requests for missing items', async () => {
    const APPLICATIONS = 12;
    const tenant = someTenant();
    const { tenantId } = tenant;
    const direct = storedPorts(store());
    const applications = Array.from({ length: APPLICATIONS }, () => someApplication({ tenantId }));
    for (const application of applications) await direct.applicationRecords.put(application);
    const [used] = applications;
    if (!used) throw new Error('there is no application');
    const user = await makeUser(direct, tenant, { email: 'ann@example.com', phone_number: '+12015550123' });
    const key = codeKey(tenant, used, { type: 'email', value: 'ann@example.com' }, 'client:one');
    await direct.otps.put(key, someCode({ userId: user.userId }));
    const recipient = recipientHash(tenant, user.userId, { type: 'email', value: 'ann@example.com' });
    const sender = { application: used, settings: { rateLimits: 'on' }, now: nowSeconds() } as const;
    const send = () =>
      countSend({ windows: windows(store().table('flows')) }, sender, {
        channel: 'email',
        recipient,
        requester: { kind: 'backend' },
      });
    for (let n = 0; n < SENDS_PER_MINUTE; n += 1) await send();
    await expect(send()).rejects.toMatchObject({ key: 'rate_limited' });

    const before = proxy().calls.get('DeleteItem') ?? 0;
    const ports = storedPorts({ ...store(), table });
    await eraseUser(ports, { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds()));
    expect((proxy().calls.get('DeleteItem') ?? 0) - before).toBeLessThan(2 * APPLICATIONS);
    expect(await codeState(store().table('flows'), key)).toBeUndefined();
    // The rate limit counters of the user are also deleted, so a message can be sent again.
    await send();
  });

  test('repeating a crashed user erasure completes the erasure', async () => {
    const ports = storedPorts(store());
    for (const dies of [
      (p: StoredPorts) => ({
        ...p,
        otps: { ...p.otps, removeAllOf: () => Promise.reject(new Error('killed')) },
      }),
      (p: StoredPorts) => ({
        ...p,
        sessions: { ...p.sessions, eraseAllOf: () => Promise.reject(new Error('killed')) },
      }),
      (p: StoredPorts) => ({
        ...p,
        identifierReservations: {
          ...p.identifierReservations,
          release: () => Promise.reject(new Error('killed')),
        },
      }),
      (p: StoredPorts) => ({
        ...p,
        userRecords: { ...p.userRecords, remove: () => Promise.reject(new Error('killed')) },
      }),
    ]) {
      const tenant = someTenant();
      const { user } = await wholeUser(ports, tenant);
      await expect(
        eraseUser(dies(ports), { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds())),
      ).rejects.toThrow('killed');
      expect(await ports.users.recordLogin({ ...user, at: T })).toBe(false);
      await eraseUser(ports, { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds()));
      expect(await ports.users.find(user.userId)).toBeUndefined();
    }
  });

  test('erasing or unlocking a user removes the user’s codes for deleted applications', async () => {
    for (const act of [eraseUser, unlockUser]) {
      const ports = storedPorts(store());
      const tenant = someTenant();
      const { user, keys } = await wholeUser(ports, tenant);
      for (const { applicationId } of keys)
        if (await ports.applicationRecords.find(applicationId))
          await deleteApplication(
            { ...ports, providerSecretRecords: { remove: async () => {} } },
            tenant,
            applicationId,
            withoutTimeLimit(nowSeconds()),
          );
      await act(ports, { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds()));
      for (const key of keys) expect(await codeState(store().table('flows'), key)).toBeUndefined();
    }
  });

  test("erasing a user erases records of messages sent to the user's addresses before the sign-up", async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { user, identifiers } = await wholeUser(ports, tenant);
    const addresses = identifiers.filter(({ type }) => type !== 'user_id');
    const subjects = addresses.map((address) => identifierHash(tenant, address));
    const event = { eventId: 'e1', type: 'message.sent', time: '2026-01-02T03:04:05.006Z', detail: {} };
    for (const subject of subjects) await ports.timeline.addMessage(subject, event, 4_000_000_000);
    await eraseUser(ports, { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds()));
    expect((await ports.timeline.listMessages(subjects, { limit: 10 })).items).toEqual([]);
  });

  test('erasing a user erases records of messages sent to a previous address of the user', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const user = await makeUser(ports, tenant, { email: 'bea@example.com' });
    const { userId } = user;
    const change = {
      ...{ changeId: 'change', changedAt: T, until: T + 1000, validBefore: [FIRST_GENERATION] },
      ...{ undoCondition: 'link' as const, linkFrom: T },
      what: { attribute: 'email' as const, former: someAddress('ann@example.com') },
    };
    const added = { ...change, what: { attribute: 'phoneNumber' as const } };
    const enrolled = {
      ...change,
      what: { attribute: 'factor' as const, former: someAddress('+12015550123') },
    };
    await ports.userRecords.replace(user, { ...user, changes: [added, enrolled, change] });
    const subject = identifierHash(tenant, { type: 'email', value: 'ann@example.com' });
    const event = { eventId: 'e1', type: 'message.sent', time: '2026-01-02T03:04:05.006Z', detail: {} };
    await ports.timeline.addMessage(subject, event, 4_000_000_000);
    await eraseUser(ports, { tenant, userId }, withoutTimeLimit(nowSeconds()));
    expect((await ports.timeline.listMessages([subject], { limit: 10 })).items).toEqual([]);
  });

  test('erasing a user releases identifier reservations that crashed updates have left behind', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { tenantId } = tenant;
    const { user } = await wholeUser(ports, tenant);
    const killed = () => Promise.reject(new Error('killed'));
    const after = { ...ports, identifierReservations: { ...ports.identifierReservations, release: killed } };
    await expect(editUser(after, tenant, user.userId, { username: 'bea' })).rejects.toThrow('killed');
    const before = { ...ports, userRecords: { ...ports.userRecords, replace: killed } };
    await expect(editUser(before, tenant, user.userId, { username: 'cleo' })).rejects.toThrow('killed');
    const names = ['ann', 'bea', 'cleo'].map((value) => ({ type: 'username', value }));
    for (const name of names) expect(await ports.identifiers.find(tenantId, name)).toBe(user.userId);
    await eraseUser(ports, { tenant, userId: user.userId }, withoutTimeLimit(nowSeconds()));
    for (const name of names) expect(await ports.identifiers.find(tenantId, name)).toBeUndefined();
  });

  test('unlocking a user resets all counters of failed attempts', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { user, keys } = await wholeUser(ports, tenant);
    const counters = ['strangers', 'signed-in', 'browser'].map((callerType) => ({
      userHash: toUserCounterKey(tenant, user.userId),
      callerType,
    }));
    for (const key of keys) await ports.otps.countAttempt(key, { at: T });
    for (const counter of counters) {
      await ports.guesses.count(counter, 1, T);
      await ports.users.noteWrongGuess(user.userId, counter.callerType);
    }

    const { user: unlocked } = await unlockUser(
      ports,
      { tenant, userId: user.userId },
      withoutTimeLimit(nowSeconds()),
    );
    expect(unlocked).not.toHaveProperty('wrongGuesses');
    expect(await ports.users.find(user.userId)).not.toHaveProperty('wrongGuesses');
    for (const key of keys) expect(await codeState(store().table('flows'), key)).toBeUndefined();
    for (const counter of counters) expect(await ports.guesses.count(counter, 1, T)).toBe(1);
  });
});
