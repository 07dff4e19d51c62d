import { expect, test } from '@jest/globals';
import { ERASURE_DELAY_SECONDS, JOB_TAKEOVER_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import { PROVEN_GENERATIONS, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import { cancelErasure, eraseDueUser, requestErasure } from '../../../shared/domain/users/erase-user.ts';
import { undoChange } from '../../../shared/domain/users/undo-change.ts';
import { editUser, makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { provenTrust, someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

// A user requests the deletion of their account. The account is disabled until it is erased. If the request is cancelled
// while the erasure begins, exactly one of the two must succeed.

const EMAIL = 'own@example.com';

describeStore('account deletion by the user', (store) => {
  const ports = () => storedPorts(store());
  const at = nowSeconds();
  const end = at + ERASURE_DELAY_SECONDS;
  // The list of due jobs contains the jobs of all tenants, so the jobs of the user are filtered.
  const listDueJobs = async (userId: string, time: number) =>
    (await ports().jobs.list({ limit: 1000 })).items.filter(
      ({ subjectId, dueAt }) => subjectId === userId && dueAt <= time,
    );

  async function person() {
    const tenant = someTenant();
    const { userId } = await makeUser(ports(), tenant, { email: EMAIL });
    return { tenant, userId };
  }

  async function sleeper() {
    const { tenant, userId } = await person();
    const { erasure } = await requestErasure(ports(), { ...tenant, userId }, at);
    const due = { subjectId: userId, jobId: erasure.erasureId };
    const undo = () => cancelErasure(ports(), { ...tenant, userId }, end, erasure.erasureId);
    return { tenant, userId, erasure, due, undo };
  }

  test('a user whose account is pending deletion cannot complete a login', async () => {
    const { userId } = await sleeper();
    expect(await ports().users.recordLogin({ userId, generations: UNPROVEN_GENERATIONS, at })).toBe(false);
  });

  test('concurrent deletion requests by the same user schedule only one deletion', async () => {
    const { tenant, userId } = await person();
    const asked = await atOnce(8, () => requestErasure(ports(), { ...tenant, userId }, at));
    expect(asked.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(asked.map(({ erasure }) => erasure.erasureId)).size).toBe(1);
    expect(await listDueJobs(userId, end)).toHaveLength(1);
  });

  test('only one of several concurrent requests can cancel a requested account deletion', async () => {
    const { tenant, userId, undo } = await sleeper();
    expect((await atOnce(8, undo)).filter(Boolean)).toHaveLength(1);
    expect(await ports().users.find(userId)).not.toHaveProperty('erasure');
    expect(await listDueJobs(userId, end)).toEqual([]);
    expect(await ports().users.recordLogin({ userId, generations: UNPROVEN_GENERATIONS, at })).toBe(true);
    const again = await requestErasure(ports(), { ...tenant, userId }, at);
    expect([again.isNew, await undo()]).toEqual([true, false]);
    expect(await listDueJobs(userId, end)).toHaveLength(1);
  });

  test('cancelling an account deletion during the erasure either restores the whole user or fails', async () => {
    const outcomes = await atOnce(6, async () => {
      const { tenant, userId, due, undo } = await sleeper();
      const undone = undo().catch((error: { key?: string }) => error.key);
      const [erased, kept] = await Promise.all([
        eraseDueUser(ports(), tenant, due, withoutTimeLimit(end)),
        undone,
      ]);
      const user = await ports().users.find(userId);
      const holder = await ports().identifiers.find(tenant.tenantId, { type: 'email', value: EMAIL });
      expect(await listDueJobs(userId, end)).toEqual([]);
      if (erased) expect([kept, user, holder]).toEqual(['user_not_found', undefined, undefined]);
      else {
        expect([kept, holder]).toEqual([true, userId]);
        expect(user).toMatchObject({ status: 'Pending', email: { value: EMAIL } });
        expect(user).not.toHaveProperty('erasure');
      }
      return erased;
    });
    expect(outcomes).toHaveLength(6);
  });

  test('a requested account deletion cannot be cancelled after the erasure of the user has started', async () => {
    const { tenant, userId, due, undo } = await sleeper();
    const killed = () => Promise.reject(new Error('killed'));
    const dying = { ...ports(), sessions: { ...ports().sessions, eraseAllOf: killed } };
    await expect(eraseDueUser(dying, tenant, due, withoutTimeLimit(end))).rejects.toThrow('killed');
    await expect(undo()).rejects.toMatchObject({ key: 'user_not_found' });
    expect(await listDueJobs(userId, end + JOB_TAKEOVER_SECONDS)).toHaveLength(1);
    expect(await eraseDueUser(ports(), tenant, due, withoutTimeLimit(end))).toBe(true);
    expect(await ports().users.find(userId)).toBeUndefined();
    expect(await listDueJobs(userId, end)).toEqual([]);
  });

  test('a job completes an erasure that crashed after the user record was removed', async () => {
    const { tenant, userId, due } = await sleeper();
    let times = 0;
    const erase: ReturnType<typeof ports>['timeline']['erase'] = (...of) => {
      times += 1;
      return times === 2 ? Promise.reject(new Error('killed')) : ports().timeline.erase(...of);
    };
    const dying = { ...ports(), timeline: { ...ports().timeline, erase } };
    await expect(eraseDueUser(dying, tenant, due, withoutTimeLimit(end))).rejects.toThrow('killed');
    expect(await ports().users.find(userId)).toBeUndefined();
    expect([await eraseDueUser(dying, tenant, due, withoutTimeLimit(end)), times]).toEqual([true, 3]);
    expect(await listDueJobs(userId, end)).toEqual([]);
    expect(await eraseDueUser(ports(), tenant, due, withoutTimeLimit(end))).toBe(false);
  });

  test('a due erasure fails if other updates of the user prevent it, so that the job is repeated', async () => {
    const { tenant, userId, due } = await sleeper();
    const busy = { ...ports(), userRecords: { ...ports().userRecords, replace: async () => false } };
    const erasing = eraseDueUser(busy, tenant, due, withoutTimeLimit(end));
    await expect(erasing).rejects.toMatchObject({ key: 'concurrent_change' });
    expect(await listDueJobs(userId, end + JOB_TAKEOVER_SECONDS)).toHaveLength(1);
  });

  test('a user is notified of a requested account deletion even if later steps of the request fail', async () => {
    const { tenant, userId } = await person();
    let [times, told] = [0, 0];
    const endAllOf: ReturnType<typeof ports>['sessions']['endAllOf'] = (...of) => {
      times += 1;
      return times === 2 ? Promise.reject(new Error('killed')) : ports().sessions.endAllOf(...of);
    };
    const dying = { ...ports(), sessions: { ...ports().sessions, endAllOf } };
    const notify = () => {
      told += 1;
    };
    await expect(requestErasure(dying, { ...tenant, userId }, at, notify)).rejects.toThrow('killed');
    expect([told, (await ports().users.find(userId))?.erasure?.effectiveAt]).toEqual([1, end]);
  });

  test('restoring the previous email address cancels a requested account deletion', async () => {
    const { tenant, userId } = await person();
    const proven = {
      attribute: 'email',
      value: EMAIL,
      trust: provenTrust,
      newGenerations: PROVEN_GENERATIONS,
    } as const;
    await ports().users.recordLogin({ userId, generations: UNPROVEN_GENERATIONS, at, proven });
    const changed = await editUser(ports(), tenant, userId, { email: 'thief@example.com' });
    const changeId = changed.changes[0]?.changeId ?? '';
    await requestErasure(ports(), { ...tenant, userId }, at);
    const events = await undoChange(ports(), tenant, { userId, changeId, isEnough: () => true }, at);
    const user = await ports().users.find(userId);
    expect([user?.email?.value, user?.erasure]).toEqual([EMAIL, undefined]);
    expect(events).toEqual(['user.email_restored', 'user.erasure_cancelled']);
    const [due] = await listDueJobs(userId, end);
    expect(due && (await eraseDueUser(ports(), tenant, due, withoutTimeLimit(end)))).toBe(false);
    expect([await listDueJobs(userId, end), await ports().users.find(userId)]).toEqual([
      [],
      expect.objectContaining({ status: 'Active' }),
    ]);
  });

  test('a disabled user cannot request the deletion of the account', async () => {
    const { tenant, userId } = await person();
    await editUser(ports(), tenant, userId, { status: 'Disabled' });
    await expect(requestErasure(ports(), { ...tenant, userId }, at)).rejects.toMatchObject({
      key: 'user_not_active',
    });
    expect(await ports().users.find(userId)).not.toHaveProperty('erasure');
  });
});
