import type { Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { newJob, runJob, type TimeLimit } from '../jobs/job.ts';
import { changeUser, createReplaceAttempt, type RecordPorts } from './change-user.ts';
import { deleteFailedAttempts, deleteUserCodes } from './codes-of-user.ts';

type UnlockPorts = PortsWith<'jobs.remove' | 'otps.removeAllOf' | 'guesses.clearAllOf'>;

/**
 * Lets the user use codes again immediately: deletes the codes, locks and failure counters of all identifiers, even if 100
 * consecutive failures have disabled codes. `isDone` is false if a job has to finish the deletion. Errors: `user_not_found`,
 * `concurrent_change`.
 */
export async function unlockUser(
  ports: UnlockPorts & RecordPorts & PortsWith<'jobs.put'>,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  pace: TimeLimit,
): Promise<{ readonly user: User; readonly isDone: boolean }> {
  const user = await changeUser(
    ports,
    { tenantId: tenant.tenantId, userId },
    createReplaceAttempt(ports, ({ wrongGuesses: _, ...current }) => ({ ...current, updatedAt: pace.at })),
  );
  const job = await ports.jobs.put(newJob('unlock-user', tenant, userId, pace.at));
  return { user, isDone: await unlockCodes(ports, { tenant, user, job }, pace) };
}

/** Runs the job that unlocks a user's codes. Returns false if the store is still unavailable when the time is up. */
export const unlockCodes = (
  ports: UnlockPorts,
  { tenant, user, job }: { readonly tenant: Tenant; readonly user: User; readonly job: Job },
  pace: TimeLimit,
): Promise<boolean> =>
  runJob(ports, job, pace, async () => {
    await awaitAll(deleteFailedAttempts(ports, tenant, user), deleteUserCodes(ports, { tenant, user }));
    return true;
  });
