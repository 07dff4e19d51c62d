import { JOBS_AT_ONCE, JOBS_RUN_SECONDS, LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { limitSeconds, type TimeLimit } from '../../shared/domain/jobs/job.ts';
import { removeApplicationData } from '../../shared/domain/management/applications.ts';
import { removeMemberships } from '../../shared/domain/organizations/organizations.ts';
import { eraseDueUser } from '../../shared/domain/users/erase-user.ts';
import { unlockCodes } from '../../shared/domain/users/unlock-user.ts';
import { log } from '../../shared/http/log.ts';
import type { Job } from '../../shared/ports/jobs.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';

/** Continues one job until the time limit. Logs `user.erased` if the job has erased a user. */
async function run(ports: BackgroundPorts<'jobs'>, job: Job, pace: TimeLimit): Promise<void> {
  const { kind, tenantId, subjectId } = job;
  if (kind === 'delete-organization') return void (await removeMemberships(ports, job, pace));
  if (kind === 'delete-application') return void (await removeApplicationData(ports, job, pace));
  const tenant = await ports.tenants.find(tenantId);
  // A tenant can be deleted only after all its users, so nothing is left to do for the job.
  if (!tenant) return void (await ports.jobs.remove(job));
  if (kind === 'unlock-user') {
    const user = await ports.userRecords.find(subjectId);
    return void (user ? await unlockCodes(ports, { tenant, user, job }, pace) : await ports.jobs.remove(job));
  }
  if (!(await eraseDueUser(ports, tenant, job, pace))) return;
  log('info', {
    event: 'jobs',
    request_id: job.jobId,
    result: 'ok',
    tenant_id: tenantId,
    user_id: subjectId,
    audit: ['user.erased'],
  });
}

/**
 * Runs due jobs, several in parallel. Jobs erase users who deleted their account, or do work that takes too long for one
 * request. A finished job is removed from the list of jobs, and the next run continues with the rest. A failed job stays in the
 * list, and the function rejects with its error after all other jobs have run.
 */
export const create: CreateBackground<'jobs', object> = (ports) => async () => {
  const pace = { at: nowSeconds(), isTimeLeft: limitSeconds(JOBS_RUN_SECONDS) };
  const failures: unknown[] = [];
  let cursor: string | undefined;
  do {
    // Reads page after page: failed jobs stay at the head of the list and must not keep later jobs from running.
    const page = { limit: LIST_LIMIT_MAX, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await ports.jobs.list(page);
    const due = items.filter(({ dueAt }) => dueAt <= pace.at);
    const waiting = due.values();
    const runNext = async () => {
      for (const job of waiting)
        if (pace.isTimeLeft()) await run(ports, job, pace).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: JOBS_AT_ONCE }, runNext));
    cursor = due.length === items.length ? nextCursor : undefined;
  } while (cursor !== undefined && pace.isTimeLeft());
  if (failures.length > 0) throw failures[0];
};
