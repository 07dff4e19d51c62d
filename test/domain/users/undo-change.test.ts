import { expect, test } from '@jest/globals';
import { DAY_SECONDS, RECOVERY_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { recordFactorEnrolment, recordPasskeyRemoval } from '../../../shared/domain/trust/changes.ts';
import {
  FIRST_GENERATION,
  PROVEN_GENERATIONS,
  UNPROVEN_GENERATIONS,
} from '../../../shared/domain/trust/generations.ts';
import { cancelUndoRequest, requestUndo, undoChange } from '../../../shared/domain/users/undo-change.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import type { CredentialChange, User } from '../../../shared/ports/people.ts';
import { editUser, makeUser, type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import {
  provenTrust,
  someAddress,
  someSession,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const EMAIL = 'ann@example.com';
const PHONE = '+12015550123';

describeStore('undoing a credential change', (store) => {
  const at = nowSeconds();

  /** Creates a user whose email address is verified. */
  async function owner(ports: StoredPorts, tenant: Tenant, email: string): Promise<string> {
    const { userId } = await makeUser(ports, tenant, { email, phone_number: PHONE });
    const trust = { trust: provenTrust, newGenerations: PROVEN_GENERATIONS };
    const proven = { attribute: 'email', value: email, ...trust } as const;
    await ports.users.recordLogin({ userId, generations: UNPROVEN_GENERATIONS, at, proven });
    return userId;
  }

  /** Creates a user whose verified email address and phone number a backend has removed, and the ports that undo this. */
  async function robbed() {
    const tenant = someTenant();
    const calls: unknown[] = [];
    const stored = storedPorts(store());
    const noting =
      (name: string) =>
      async (...call: unknown[]) =>
        calls.push([name, ...call]) > 0;
    const passkeyRecords = { ...stored.passkeyRecords, restore: noting('restore'), remove: noting('remove') };
    const ports = { ...stored, passkeyRecords } as never as StoredPorts;
    const userId = await owner(ports, tenant, EMAIL);
    const user = await editUser(ports, tenant, userId, { email: 'thief@example.com', phone_number: null });
    const changeId = user.changes[0]?.changeId ?? '';
    const undo = () => undoChange(ports, tenant, { userId, changeId, isEnough: () => true }, at);
    return { tenant, ports, calls, user, userId, undo };
  }

  test('an undo also undoes later changes, ends all sessions, and takes the address from a user who only claims it', async () => {
    const { tenant, ports, calls, user, userId, undo } = await robbed();
    const removed = recordPasskeyRemoval(user, 'removed', 'link', at);
    await ports.userRecords.replace(user, recordFactorEnrolment(removed, { credentialId: 'enrolled' }, at));
    const session = someSession({ userId, tenantId: tenant.tenantId });
    await ports.sessions.start(session);
    const claimant = await makeUser(ports, tenant, { email: EMAIL, username: 'eve' });
    expect(await undo()).toEqual([
      ...['user.email_restored', 'user.phone_changed', 'passkey.added', 'passkey.removed'],
    ]);
    expect(calls).toEqual([
      ['restore', userId, 'removed'],
      ['remove', userId, 'enrolled', at],
    ]);
    const restored = await ports.users.find(userId);
    expect([restored?.email?.value, restored?.phoneNumber?.value]).toEqual([EMAIL, PHONE]);
    expect(await ports.users.find(claimant.userId)).not.toHaveProperty('email');
    expect(await ports.sessions.find(session.sessionId, session.startedAt)).toBeUndefined();
    await expect(undo()).rejects.toMatchObject({ key: 'notice_link_over' });
  });

  test('an undo is rejected if another user has verified the address in the meantime', async () => {
    const { tenant, ports, userId, undo } = await robbed();
    const holder = await owner(ports, tenant, EMAIL);
    await expect(undo()).rejects.toMatchObject({ key: 'identifier_taken' });
    const emails = await Promise.all([userId, holder].map(async (id) => (await ports.users.find(id))?.email));
    expect(emails.map((email) => email?.value)).toEqual(['thief@example.com', EMAIL]);
  });

  test('cancelling an unknown undo request fails with the error that the link has expired', async () => {
    const tenant = someTenant();
    const ports = storedPorts(store());
    const { userId } = await makeUser(ports, tenant, { username: 'ann' });
    const ending = cancelUndoRequest(ports, tenant, userId, 'change');
    await expect(ending).rejects.toMatchObject({ key: 'notice_link_over' });
  });
});

test('an undo request starts a delay that repeating it does not extend and that can be cancelled once', async () => {
  const tenant = someTenant();
  const change: CredentialChange = {
    ...{ changeId: 'change', changedAt: T, until: T + 1000, validBefore: [FIRST_GENERATION] },
    ...{ undoCondition: 'kind', linkFrom: T + 1000 },
    what: { attribute: 'email', former: someAddress('former@example.com') },
  };
  const later = { ...change, changeId: 'later', until: T + 9 * DAY_SECONDS, linkFrom: T + 9 * DAY_SECONDS };
  let user = someUser({
    tenantId: tenant.tenantId,
    email: someAddress(EMAIL),
    changes: [change, later],
  });
  let counted = 0;
  const ports = {
    userRecords: {
      find: async () => user,
      replace: async (_: User, next: User) => {
        user = next;
        return true;
      },
    },
    membershipRecords: { listOfUser: async () => [] },
    windows: {
      count: async () => {
        counted += 1;
        return { admitted: true };
      },
    },
  } as never;
  const request = (at: number, changeId = 'change') =>
    requestUndo(ports, { smsCountries: 'any' }, { tenant, userId: user.userId, changeId }, at);
  const delayed = { linkFrom: T + DAY_SECONDS, until: T + DAY_SECONDS + RECOVERY_SECONDS };
  expect(await request(T)).toEqual({ ...delayed, isNew: true });
  expect(await request(T + 60)).toEqual({ ...change, ...delayed, isNew: false });
  expect([counted, user.changes]).toEqual([1, [{ ...change, ...delayed }, later]]);
  expect(await request(T, 'later')).toEqual({ ...delayed, until: later.until, isNew: true });
  const cancel = (changeId: string) => cancelUndoRequest(ports, tenant, user.userId, changeId);
  await cancel('change');
  await expect(cancel('change')).rejects.toMatchObject({ key: 'notice_link_over' });
  const stopped = { ...change, linkFrom: delayed.until, until: delayed.until };
  expect(user.changes).toEqual([stopped, { ...later, linkFrom: delayed.linkFrom }]);
});
