import { ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { Erasure, Identifier, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { typeOfAttribute } from '../../records/channels.ts';
import { awaitAll } from '../basis/await-all.ts';
import { ERASURE_DELAY_SECONDS } from '../basis/limits.ts';
import { externalIdentifiersOf, identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { releaseIdentifiers } from '../identifiers/identifier-reservations.ts';
import { storedIdentifier } from '../identifiers/stored-address.ts';
import { type JobPorts, newJob, type Pace, pagesOfJob, runJob } from '../jobs/job.ts';
import { isAddress } from '../trust/changes.ts';
import { changeUser, type RecordPorts, replaceWith } from './change-user.ts';
import { forgetCodesOf, forgetGuessesOf, sendsOfUser } from './codes-of-user.ts';
import { requireActive } from './user-status.ts';

/**
 * Lets a user who has deleted their own account sleep until it is erased. Ends all sessions, before the write and after it:
 * none may live on when this is undone. Of many callers one begins it: `isNew`, and `tell` is called
 * right after the write, because what fails later must not hide it from the user.
 * Errors: `user_not_found`, `user_not_active`, `concurrent_change`.
 */
export async function requestErasure(
  ports: RecordPorts & Using<'jobs.put' | 'jobs.remove' | 'sessions.endAllOf'>,
  { tenantId, userId }: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  tell: () => void = () => {},
): Promise<{ readonly erasure: Erasure; readonly isNew: boolean }> {
  const effectiveAt = at + ERASURE_DELAY_SECONDS;
  const job = { ...newJob('erase-user', { tenantId }, userId, at), dueAt: effectiveAt };
  const wanted = { erasureId: job.jobId, requestedAt: at, effectiveAt, hasBegun: false };
  await ports.jobs.put(job);
  await ports.sessions.endAllOf(userId, at);
  const fallAsleep = replaceWith(ports, (user) => ({
    ...requireActive(user),
    erasure: wanted,
    updatedAt: at,
  }));
  const { erasure = wanted } = await changeUser(ports, { tenantId, userId }, async (user) =>
    user.erasure ? user : fallAsleep(user),
  );
  const isNew = erasure.erasureId === job.jobId;
  if (isNew) tell();
  await ports.sessions.endAllOf(userId, at);
  if (!isNew) await ports.jobs.remove(job);
  return { erasure, isNew };
}

/**
 * Undoes it, of this ID if given; false when there is none to undo. The write is the one that an erasure begins with, so of
 * many callers, and of the erasure, one wins. Errors: `user_not_found`, also when it has begun; `concurrent_change`.
 */
export async function cancelErasure(
  ports: RecordPorts & Using<'jobs.remove'>,
  who: Pick<User, 'tenantId' | 'userId'>,
  at: number,
  erasureId?: string,
): Promise<boolean> {
  let undone: Erasure | undefined;
  const wake = replaceWith(ports, ({ erasure: _, ...user }) => ({ ...user, updatedAt: at }));
  await changeUser(ports, who, async (user) => {
    if (user.erasure?.hasBegun) throw new ServiceError('user_not_found');
    const isMeant = erasureId === undefined || user.erasure?.erasureId === erasureId;
    undone = isMeant ? user.erasure : undefined;
    return undone ? wake(user) : user;
  });
  if (undone) await ports.jobs.remove({ subjectId: who.userId, jobId: undone.erasureId });
  return undone !== undefined;
}

type ErasePorts = Parameters<typeof eraseUser>[0];

/**
 * Erases a user that is due; false when it was undone, or when the time is over. A run that broke off behind the user's own item
 * has told nobody, so the next one goes on and does. Errors: `concurrent_change`.
 */
export async function eraseDueUser(
  ports: ErasePorts,
  tenant: Tenant,
  job: Pick<Job, 'subjectId' | 'jobId'>,
  pace: Pace,
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
    // Where another has erased the user whole, it has removed this and told of it.
    return (await ports.jobs.remove(job)) && isGone;
  }
}

/** Messages came there before the address was a user's, under its hash. */
function formerIdentifiersOf({ changes }: User): readonly Identifier[] {
  return changes
    .map(({ what }) => {
      if (!isAddress(what) || !what.former) return undefined;
      const { value } = what.former;
      return storedIdentifier(typeOfAttribute(what.attribute), value);
    })
    .filter((identifier) => identifier !== undefined);
}

/** Of a login and of events that were on their way when the user's item went: what comes from then on finds no user. */
async function forgetTraces(
  { knownDeviceRecords, timeline }: Using<'knownDeviceRecords' | 'timeline.erase'>,
  userId: string,
): Promise<void> {
  await awaitAll(knownDeviceRecords.forgetAllOf(userId), timeline.erase(userId));
}

/**
 * Erases a user with everything that belongs to them: codes, counters, sessions, reservations of identifiers, passkeys,
 * memberships; false when a job goes on with it. Stores the job and disables the user first, against logins meanwhile, and
 * removes the user's own item last: after a crash at any point the same call goes on behind the last page of the job. Links,
 * challenges and codes to exchange then name a user who is gone. They are filed under hashes of secrets, so the service cannot
 * find them; they expire within a day. `check` may refuse. Errors: `user_not_found`, `concurrent_change`.
 */
export async function eraseUser(
  ports: JobPorts &
    Using<
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
  pace: Pace,
  check: (user: User) => void | Promise<void> = () => {},
): Promise<boolean> {
  const { at } = pace;
  let job = newJob('erase-user', tenant, userId, at);
  const user = await changeUser(ports, { ...tenant, userId }, async (current) => {
    await check(current);
    const { erasure = { erasureId: job.jobId, requestedAt: at, effectiveAt: at } } = current;
    job = await ports.jobs.put({ ...job, jobId: erasure.erasureId });
    return replaceWith(ports, (known) => {
      return { ...known, erasure: { ...erasure, hasBegun: true }, status: 'Disabled', updatedAt: at };
    })(current);
  });
  return runJob(ports, job, pace, () => eraseMarked(ports, { tenant, user, job }, pace));
}

/** What is left of it; false when the time is over. */
async function eraseMarked(
  ports: ErasePorts,
  { tenant, user, job }: { readonly tenant: Tenant; readonly user: User; readonly job: Job },
  pace: Pace,
): Promise<boolean> {
  const { userId } = user;
  const addresses = [...identifiersOf(user), ...formerIdentifiersOf(user)];
  const [isDone] = await awaitAll(
    pagesOfJob(ports, job, pace, sendsOfUser(ports, { tenant, user }, pace.at)),
    forgetCodesOf(ports, { tenant, user }),
    ports.testCodes.forget(userId),
    forgetGuessesOf(ports, tenant, user),
    ports.passkeyRecords.forgetAllOf(userId),
    ports.knownDeviceRecords.forgetAllOf(userId),
    ports.sessions.eraseAllOf(userId, pace.at),
    ports.timeline.erase(userId),
    ...addresses.map((name) => ports.timeline.eraseMessages(identifierHash(tenant, name))),
  );
  if (!isDone) return false;
  // Whatever the time of the reservation: none can be filled for a user who is going.
  const names = [...identifiersOf(user), ...externalIdentifiersOf(user)];
  await releaseIdentifiers(ports, user, names, Number.MAX_SAFE_INTEGER);
  // What a crash has left between a reservation and its user.
  await ports.identifierReservations.releaseAllOf(userId);
  await ports.userRecords.remove(userId);
  await forgetTraces(ports, userId);
  return true;
}
