import { expect, test } from '@jest/globals';
import { iterateItems } from '../../../shared/domain/basis/change-record.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { codeKey } from '../../../shared/domain/credentials/one-time-code.ts';
import { newJob, runJob, type TimeLimit, withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import { deleteApplication, removeApplicationData } from '../../../shared/domain/management/applications.ts';
import { deleteOrganization, removeMemberships } from '../../../shared/domain/organizations/organizations.ts';
import { eraseDueUser, eraseUser } from '../../../shared/domain/users/erase-user.ts';
import { unlockCodes, unlockUser } from '../../../shared/domain/users/unlock-user.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeUser, type StoredPorts, storedPorts } from '../../support/fixtures/directory.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { codeState } from '../../support/server/code-state.ts';
import {
  someApplication,
  someClient,
  someCode,
  someMembership,
  someOrganization,
  someResource,
  someTenant,
  someWebhook,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';
import { takes } from '../../support/tools/full-run.ts';

// Jobs that remove several pages of records. After any interruption, a job must continue after the last recorded page.

const PAGE = 100;
const ALL = PAGE + 20;
const at = nowSeconds();
/** Picks one of the cases in a normal test run, and all cases in a full run (`isFull`). */
const pickCase = (calls: readonly number[]) => calls.filter((_, index) => takes(index, calls.length));
/** Time limit of a call that stops after one page. */
const onePage: TimeLimit = { at, isTimeLeft: () => false };

type Method = (...given: never[]) => Promise<unknown>;

/** Wraps ports so that call number `count` and all later calls fail, as if the process had been killed. */
function dying<Own extends StoredPorts>(ports: Own, count: number): Own {
  let calls = 0;
  const guard =
    (method: Method): Method =>
    (...given) => {
      calls += 1;
      return calls >= count ? Promise.reject(new Error('killed')) : method(...given);
    };
  const mapped = Object.entries(ports).map(([name, port]) => [
    name,
    Object.fromEntries(Object.entries(port).map(([verb, method]) => [verb, guard(method as Method)])),
  ]);
  return Object.fromEntries(mapped) as Own;
}

async function all<T>(list: Parameters<typeof iterateItems<T>>[0]): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of iterateItems(list)) items.push(item);
  return items;
}

describeStore('jobs that outlast an API call', (store) => {
  const ports = () => storedPorts(store());
  const findJobs = async (id: string) =>
    (await all(ports().jobs.list)).filter(({ subjectId }) => subjectId === id);

  async function manyApplications() {
    const tenant = someTenant();
    const { tenantId } = tenant;
    const applications = await atOnce(ALL, async (n) => {
      const application = someApplication({ tenantId, createdAt: at + n });
      await ports().applicationRecords.put(application);
      return application;
    });
    const { userId } = await makeUser(ports(), tenant, { username: 'ann' });
    const name = { type: 'username', value: 'ann' };
    const keys = applications.map((application) => codeKey(tenant, application, name, 'client:one'));
    await Promise.all(keys.map((key) => ports().otps.put(key, someCode({ userId }))));
    const left = async () =>
      (await Promise.all(keys.map((key) => codeState(store().table('flows'), key)))).filter(Boolean).length;
    return { tenant, userId, left };
  }

  async function manyMembers() {
    const tenant = someTenant();
    const { tenantId } = tenant;
    const organization = someOrganization({ tenantId });
    const { organizationId } = organization;
    await ports().organizationRecords.put(organization);
    await atOnce(ALL, (n) =>
      ports().membershipRecords.put(someMembership({ tenantId, organizationId, createdAt: at + n })),
    );
    const left = async () =>
      (await all((page) => ports().membershipRecords.listOfOrganization(organizationId, page))).length;
    return { tenant, organizationId, left };
  }

  test('a repeated call completes a user erasure that was interrupted', async () => {
    const { tenant, userId, left } = await manyApplications();
    expect(await eraseUser(ports(), { tenant, userId }, onePage)).toBe(false);
    expect(await ports().users.find(userId)).toMatchObject({
      status: 'Disabled',
      erasure: { hasBegun: true },
    });
    expect([await left(), (await findJobs(userId))[0]?.done]).toEqual([0, PAGE]);
    expect(await eraseUser(ports(), { tenant, userId }, onePage)).toBe(true);
    expect([await left(), await findJobs(userId), await ports().users.find(userId)]).toEqual([
      0,
      [],
      undefined,
    ]);
  });

  test('several workers that erase the same user concurrently complete the erasure', async () => {
    const { tenant, userId, left } = await manyApplications();
    await eraseUser(ports(), { tenant, userId }, onePage);
    const [job] = await findJobs(userId);
    if (!job) throw new Error('there is no job');
    const erased = await atOnce(4, () => eraseDueUser(ports(), tenant, job, withoutTimeLimit(at)));
    expect(erased).toContain(true);
    expect([await left(), await findJobs(userId), await ports().users.find(userId)]).toEqual([
      0,
      [],
      undefined,
    ]);
  });

  test.each(pickCase([4, 9, 25]))(
    'the job worker completes a user erasure that crashed at store call %i',
    async (count) => {
      const { tenant, userId, left } = await manyApplications();
      const broken = eraseUser(dying(ports(), count), { tenant, userId }, withoutTimeLimit(at));
      await expect(broken).rejects.toThrow('killed');
      const [job] = await findJobs(userId);
      expect(job && (await eraseDueUser(ports(), tenant, job, withoutTimeLimit(at)))).toBe(true);
      expect([await left(), await findJobs(userId), await ports().users.find(userId)]).toEqual([
        0,
        [],
        undefined,
      ]);
    },
  );

  test('an erasure job does not erase a user who has not requested the deletion', async () => {
    const { tenant, userId } = await manyApplications();
    const job = await ports().jobs.put(newJob('erase-user', tenant, userId, at));
    expect(await eraseDueUser(ports(), tenant, job, withoutTimeLimit(at))).toBe(false);
    expect([await findJobs(userId), await ports().users.find(userId)]).toEqual([
      [],
      expect.objectContaining({ status: 'Pending' }),
    ]);
  });

  test('a job finishes unlocking a user after the store failed in the middle of the unlocking', async () => {
    const { tenant, userId, left } = await manyApplications();
    const unavailable = () => Promise.reject(new ServiceError('service_unavailable'));
    const broken = { ...ports(), otps: { ...ports().otps, removeAllOf: unavailable } };
    const { user, isDone } = await unlockUser(broken, { tenant, userId }, onePage);
    const [job] = await findJobs(userId);
    expect([isDone, await left()]).toEqual([false, ALL]);
    expect(job && (await unlockCodes(ports(), { tenant, user, job }, onePage))).toBe(true);
    expect([await left(), await findJobs(userId)]).toEqual([0, []]);
    expect((await unlockUser(ports(), { tenant, userId }, onePage)).isDone).toBe(true);
  });

  test('a job removes the remaining memberships of a deleted organization', async () => {
    const { tenant, organizationId, left } = await manyMembers();
    expect(await deleteOrganization(ports(), tenant, organizationId, onePage)).toBe(false);
    expect(await ports().organizationRecords.find(organizationId)).toBeUndefined();
    const [job] = await findJobs(organizationId);
    expect([await left(), job?.done]).toEqual([ALL - PAGE, PAGE]);
    const ends = await atOnce(3, async () => job && removeMemberships(ports(), job, withoutTimeLimit(at)));
    expect(ends).toEqual([true, true, true]);
    expect([await left(), await findJobs(organizationId)]).toEqual([0, []]);
  });

  test.each(pickCase([4, 50, 110]))(
    'the job worker completes an organization deletion that crashed at store call %i',
    async (count) => {
      const { tenant, organizationId, left } = await manyMembers();
      const broken = deleteOrganization(dying(ports(), count), tenant, organizationId, withoutTimeLimit(at));
      await expect(broken).rejects.toThrow('killed');
      const [job] = await findJobs(organizationId);
      expect(job && (await removeMemberships(ports(), job, withoutTimeLimit(at)))).toBe(true);
      expect([await left(), await findJobs(organizationId)]).toEqual([0, []]);
    },
  );

  test('a job does not remove memberships of an organization whose deletion failed', async () => {
    const { tenant, organizationId, left } = await manyMembers();
    const broken = deleteOrganization(dying(ports(), 3), tenant, organizationId, withoutTimeLimit(at));
    await expect(broken).rejects.toThrow('killed');
    const [job] = await findJobs(organizationId);
    expect(job && (await removeMemberships(ports(), job, withoutTimeLimit(at)))).toBe(true);
    expect([await left(), await findJobs(organizationId)]).toEqual([ALL, []]);
  });

  async function manyClients() {
    const tenant = someTenant();
    const { tenantId } = tenant;
    const { applicationId } = someApplication({ tenantId });
    await ports().applicationRecords.put(someApplication({ tenantId, applicationId }));
    const own = { tenantId, applicationId };
    await atOnce(ALL, (n) => ports().clientRecords.put(someClient({ ...own, createdAt: at + n })));
    const [resource, webhook] = [someResource(own), someWebhook(own)];
    const ofOthers = [someResource({ tenantId }), someWebhook({ tenantId })] as const;
    for (const each of [resource, ofOthers[0]]) await ports().resourceRecords.put(each);
    for (const each of [webhook, ofOthers[1]]) await ports().webhookRecords.put(each);
    const whole = { ...ports(), providerSecretRecords: { remove: async () => {} } };
    const left = async () => [
      (await all((page) => ports().clientRecords.list(applicationId, page))).length,
      (await all((page) => ports().resourceRecords.list(tenantId, page))).length,
      (await all((page) => ports().webhookRecords.list(tenantId, page))).length,
    ];
    return { tenant, applicationId, whole, left };
  }

  test('a job removes the clients, resources and webhooks of a deleted application', async () => {
    const { tenant, applicationId, whole, left } = await manyClients();
    expect(await deleteApplication(whole, tenant, applicationId, onePage)).toBe(false);
    expect(await ports().applicationRecords.find(applicationId)).toBeUndefined();
    const seen: unknown[] = [];
    for (let isDone = false; !isDone; ) {
      const [job] = await findJobs(applicationId);
      if (!job) throw new Error('there is no job');
      seen.push([await left(), job.done]);
      isDone = await removeApplicationData(ports(), job, onePage);
    }
    expect(seen).toEqual([
      [[ALL - PAGE, 2, 2], PAGE],
      [[0, 2, 2], ALL],
      [[0, 1, 2], ALL + 2],
    ]);
    expect([await left(), await findJobs(applicationId)]).toEqual([[0, 1, 1], []]);
  });

  test.each(pickCase([4, 12, 220]))(
    'a job completes an application deletion that crashed at store call %i, unless the application still exists',
    async (count) => {
      const { tenant, applicationId, whole, left } = await manyClients();
      const broken = deleteApplication(dying(whole, count), tenant, applicationId, withoutTimeLimit(at));
      await expect(broken).rejects.toThrow('killed');
      const [job] = await findJobs(applicationId);
      expect(job && (await removeApplicationData(ports(), job, withoutTimeLimit(at)))).toBe(true);
      const isGone = (await ports().applicationRecords.find(applicationId)) === undefined;
      // If the crash happened before the application was removed, the job must not remove anything.
      expect([await left(), await findJobs(applicationId)]).toEqual([isGone ? [0, 1, 1] : [ALL, 2, 2], []]);
      expect(isGone).toBe(count > 4);
    },
  );

  test('a job for an unfinished erasure stays stored if the next attempt also fails', async () => {
    const { tenant, userId } = await manyApplications();
    const unavailable = () => Promise.reject(new ServiceError('service_unavailable'));
    const broken = { ...ports(), timeline: { ...ports().timeline, erase: unavailable } };
    expect(await eraseUser(broken, { tenant, userId }, onePage)).toBe(false);
    await expect(eraseUser(broken, { tenant, userId }, withoutTimeLimit(at))).rejects.toMatchObject({
      key: 'service_unavailable',
    });
    expect(await findJobs(userId)).toHaveLength(1);
  });

  test('saving the progress of a finished job does not recreate the job', async () => {
    const job = newJob('unlock-user', someTenant(), 'unknown', at);
    await ports().jobs.note(job, { done: 1, cursor: 'here' });
    expect(await findJobs('unknown')).toEqual([]);
  });
});

test.each([
  [
    'fails if a table is unavailable before the time is up',
    true,
    new ServiceError('service_unavailable'),
    false,
  ],
  [
    'continues later if a table is unavailable after the time is up',
    false,
    new ServiceError('service_unavailable'),
    true,
  ],
  ['fails after a domain error', false, new ServiceError('user_not_found'), false],
  ['fails after any other error', false, new Error('service_unavailable'), false],
])('a job %s', async (_title, isLeft, error, isLater) => {
  const job = newJob('unlock-user', someTenant(), 'user', at);
  const run = runJob({ jobs: {} } as never, job, { at, isTimeLeft: () => isLeft }, () =>
    Promise.reject(error),
  );
  if (isLater) expect(await run).toBe(false);
  else await expect(run).rejects.toBe(error);
});

test('the worker takes over a job 60 seconds after the request that created it', () => {
  expect(newJob('erase-user', someTenant({ tenantId: 'tenant' }), 'user', at)).toEqual({
    ...{ jobId: expect.any(String), kind: 'erase-user', tenantId: 'tenant', subjectId: 'user' },
    ...{ dueAt: at + 60, done: 0 },
  });
});
