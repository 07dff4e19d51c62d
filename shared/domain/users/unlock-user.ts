import type { Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { type JobPorts, newJob, type Pace, pagesOfJob, runJob } from '../jobs/job.ts';
import { changeUser, type RecordPorts, replaceWith } from './change-user.ts';
import { codesOfUser, forgetGuessesOf } from './codes-of-user.ts';

type UnlockPorts = JobPorts &
  Using<'applicationRecords.list' | 'formerApplications.listOf' | 'otps.removeAllOf' | 'guesses.clearAllOf'>;

/**
 * Lets the user use codes again at once: codes, locks and failure counters of all their identifiers are forgotten, also
 * where 100 consecutive failures have switched codes off. `isDone` is false when a job goes on with some applications.
 * Errors: `user_not_found`, `concurrent_change`.
 */
export async function unlockUser(
  ports: UnlockPorts & RecordPorts & Using<'jobs.put'>,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  pace: Pace,
): Promise<{ readonly user: User; readonly isDone: boolean }> {
  const user = await changeUser(
    ports,
    { tenantId: tenant.tenantId, userId },
    replaceWith(ports, ({ wrongGuesses: _, ...current }) => ({ ...current, updatedAt: pace.at })),
  );
  const job = await ports.jobs.put(newJob('unlock-user', tenant, userId, pace.at));
  return { user, isDone: await unlockCodes(ports, { tenant, user, job }, pace) };
}

/** What is left of it; false when the time is over. */
export const unlockCodes = (
  ports: UnlockPorts,
  { tenant, user, job }: { readonly tenant: Tenant; readonly user: User; readonly job: Job },
  pace: Pace,
): Promise<boolean> =>
  runJob(ports, job, pace, async () => {
    await forgetGuessesOf(ports, tenant, user);
    const { removeAllOf } = ports.otps;
    return pagesOfJob(ports, job, pace, codesOfUser(ports, { tenant, user }, pace.at, removeAllOf));
  });
