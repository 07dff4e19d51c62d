import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { Erasure, Identifier, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { typeOfAttribute } from '../../records/channels.ts';
import { awaitAll } from '../basis/await-all.ts';
import { ERASURE_DELAY_SECONDS } from '../basis/limits.ts';
import { listExternalIdentifiers, listIdentifiers } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { releaseIdentifiers } from '../identifiers/identifier-reservations.ts';
import { storedIdentifier } from '../identifiers/stored-address.ts';
import { type JobPorts, newJob, processJobPages, runJob, type TimeLimit } from '../jobs/job.ts';
import { isAddressChange } from '../trust/changes.ts';
import { changeUser, createReplaceAttempt, type RecordPorts } from './change-user.ts';
import { deleteFailedAttempts, deleteUserCodes, listSendWindowPages } from './codes-of-user.ts';
import { requireActive } from './user-status.ts';

/**
 * Schedules the erasure of an account that its user has deleted, and blocks the account until then. Ends all sessions before
 * and after the write, so that no session is active if the user undoes the deletion. Only one of several concurrent callers
 * starts the erasure and gets `isNew`. Calls `notify` right after the write, so that the user is notified even if a later step
 * fails. Errors: `user_not_found`, `user_not_active`, `concurrent_change`.
 */
export async function requestErasure(
  ports: RecordPorts & PortsWith<'jobs.put' | 'jobs.remove' | 'sessions.endAllOf'>,
  { tenantId, userId }: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  notify: () => void = () => {},
): Promise<{ readonly erasure: Erasure; readonly isNew: boolean }> {
  const effectiveAt = at + ERASURE_DELAY_SECONDS;
  const job = { ...newJob('erase-user', { tenantId }, userId, at), dueAt: effectiveAt };
  const wanted = { erasureId: job.jobId, requestedAt: at, effectiveAt, hasBegun: false };
  await ports.jobs.put(job);
  await ports.sessions.endAllOf(userId, at);
  const markForErasure = createReplaceAttempt(ports, (user) => ({
    ...requireActive(user),
    erasure: wanted,
    updatedAt: at,
  }));
  const { erasure = wanted } = await changeUser(ports, { tenantId, userId }, async (user) =>
    user.erasure ? user : markForErasure(user),
  );
  const isNew = erasure.erasureId === job.jobId;
  if (isNew) notify();
  await ports.sessions.endAllOf(userId, at);
  if (!isNew) await ports.jobs.remove(job);
  return { erasure, isNew };
}

/**
 * Cancels the scheduled erasure with the ID `erasureId`, or any scheduled erasure if the ID is absent. Returns false if no
 * erasure is scheduled. The start of an erasure writes the same item, so exactly one succeeds: one of the cancelling callers,
 * or the erasure. Errors: `user_not_found`, also if the erasure has started; `concurrent_change`.
 */
export async function cancelErasure(
  ports: RecordPorts & PortsWith<'jobs.remove'>,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  erasureId?: string,
): Promise<boolean> {
  let undone: Erasure | undefined;
  const clearErasure = createReplaceAttempt(ports, ({ erasure: _, ...user }) => ({ ...user, updatedAt: at }));
  await changeUser(ports, who, async (user) => {
    if (user.erasure?.hasBegun) throw new ServiceError('user_not_found');
    const isMeant = erasureId === undefined || user.erasure?.erasureId === erasureId;
    undone = isMeant ? user.erasure : undefined;
    return undone ? clearErasure(user) : user;
  });
  if (undone) await ports.jobs.remove({ subjectId: who.userId, jobId: undone.erasureId });
  return undone !== undefined;
}

type ErasePorts = Parameters<typeof eraseUser>[0];

/**
 * Erases a user whose scheduled erasure is due. Returns false if the erasure was cancelled or the time is up. If the user's
 * item is already gone, an earlier run stopped before it published the event, so this run completes the erasure. Errors:
 * `concurrent_change`.
 */
export async function eraseDueUser(
  ports: ErasePorts,
  tenant: Tenant,
  job: Pick<Job, 'subjectId' | 'jobId'>,
  pace: TimeLimit,
): Promise<boolean> {
  const { subjectId: userId, jobId } = job;
  const requireDue = ({ erasure }: User) => {
    if (erasure?.erasureId !== jobId) throw new ServiceError('user_not_found');
  };
  try {
    return await eraseUser(ports, { tenant, userId }, pace, requireDue);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'user_not_found') throw error;
    const isGone = (await ports.userRecords.find(userId)) === undefined;
    if (isGone) await forgetTraces(ports, userId);
    // Removing the job succeeds only once. If it fails, another run has completed the erasure and published the event.
    return (await ports.jobs.remove(job)) && isGone;
  }
}

/** Lists the user's former addresses. An erasure deletes the messages stored under their hashes. */
function listFormerIdentifiers({ changes }: User): readonly Identifier[] {
  return changes
    .map(({ what }) => {
      if (!isAddressChange(what) || !what.former) return undefined;
      const { value } = what.former;
      return storedIdentifier(typeOfAttribute(what.attribute), value);
    })
    .filter((identifier) => identifier !== undefined);
}

/**
 * Deletes known browsers and events that logins in progress have written while the user's item was removed. Later logins find
 * no user.
 */
async function forgetTraces(
  { knownDeviceRecords, timeline }: PortsWith<'knownDeviceRecords' | 'timeline.erase'>,
  userId: string,
): Promise<void> {
  await awaitAll(knownDeviceRecords.forgetAllOf(userId), timeline.erase(userId));
}

/**
 * Erases a user with all related data: codes, counters, sessions, reservations of identifiers, passkeys and memberships. First
 * stores the job and disables the user, and removes the user's own item last; after a crash, the same call continues. Links,
 * challenges and authorization codes cannot be found by user, because they are stored under hashes of secrets; they expire
 * within a day. Returns false if a job continues the work. `check` may reject the erasure. Errors: `user_not_found`,
 * `concurrent_change`.
 */
export async function eraseUser(
  ports: JobPorts &
    PortsWith<
      | 'userRecords.find'
      | 'userRecords.replace'
      | 'userRecords.remove'
      | 'identifierReservations.release'
      | 'identifierReservations.releaseAllOf'
      | 'applicationRecords.list'
      | 'formerApplications.listOf'
      | 'knownDeviceRecords'
      | 'otps.removeAllOf'
      | 'testCodes.forget'
      | 'guesses.clearAllOf'
      | 'sessions.eraseAllOf'
      | 'passkeyRecords.forgetAllOf'
      | 'windowRecords.forget'
      | 'timeline.erase'
      | 'timeline.eraseMessages'
      | 'jobs.put'
    >,
  { tenant, userId }: { readonly tenant: Tenant; readonly userId: string },
  pace: TimeLimit,
  check: (user: User) => void | Promise<void> = () => {},
): Promise<boolean> {
  const { at } = pace;
  let job = newJob('erase-user', tenant, userId, at);
  const user = await changeUser(ports, { ...tenant, userId }, async (current) => {
    await check(current);
    const { erasure = { erasureId: job.jobId, requestedAt: at, effectiveAt: at } } = current;
    job = await ports.jobs.put({ ...job, jobId: erasure.erasureId });
    return createReplaceAttempt(ports, (known) => {
      return { ...known, erasure: { ...erasure, hasBegun: true }, status: 'Disabled', updatedAt: at };
    })(current);
  });
  return runJob(ports, job, pace, () => eraseMarked(ports, { tenant, user, job }, pace));
}

/** Erases the remaining data of a user who is marked for erasure. Returns false if the time is up before all is erased. */
async function eraseMarked(
  ports: ErasePorts,
  { tenant, user, job }: { readonly tenant: Tenant; readonly user: User; readonly job: Job },
  pace: TimeLimit,
): Promise<boolean> {
  const { userId } = user;
  const addresses = [...listIdentifiers(user), ...listFormerIdentifiers(user)];
  const [isDone] = await awaitAll(
    processJobPages(ports, job, pace, listSendWindowPages(ports, { tenant, user }, pace.at)),
    deleteUserCodes(ports, { tenant, user }),
    ports.testCodes.forget(userId),
    deleteFailedAttempts(ports, tenant, user),
    ports.passkeyRecords.forgetAllOf(userId),
    ports.knownDeviceRecords.forgetAllOf(userId),
    ports.sessions.eraseAllOf(userId, pace.at),
    ports.timeline.erase(userId),
    ...addresses.map((name) => ports.timeline.eraseMessages(identifierHash(tenant, name))),
  );
  if (!isDone) return false;
  // Reservations are released regardless of their age, because a user who is being erased cannot complete any reservation.
  const names = [...listIdentifiers(user), ...listExternalIdentifiers(user)];
  await releaseIdentifiers(ports, user, names, Number.MAX_SAFE_INTEGER);
  // Releases reservations that a crash left without their user.
  await ports.identifierReservations.releaseAllOf(userId);
  await ports.userRecords.remove(userId);
  await forgetTraces(ports, userId);
  return true;
}
