// Users with a problem: those whose codes are locked now, those whose login failed in the last 24 hours, or all.
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { inBatches } from '../basis/await-all.ts';
import { PARALLEL_WRITES, PASSCODE_LOCK_MINUTES_MAX, SECONDS_PER_MINUTE } from '../basis/limits.ts';
import { toWireDate } from '../basis/time.ts';
import { listProblems } from './problems.ts';
import { findHolds } from './support-view.ts';

/** Event type by which users are listed, for each value of the parameter `has_problem`. */
const EVENTS = { locked: 'login.locked', failed_login: 'login.failed' } as const;

/** Period, in seconds, in which events of locks and failed logins are searched. No temporary lock lasts longer. */
const PERIOD_SECONDS = PASSCODE_LOCK_MINUTES_MAX * SECONDS_PER_MINUTE;

interface TroubledUser {
  readonly user: User;
  /** End of the lock. Undefined if the user is listed for another problem, or if the lock has no end time. */
  readonly lockedUntil?: string | undefined;
}

/** Prefix of the cursors in the list of users with wrong codes. No cursor of the store contains a full stop. */
const WRONG_CODES = '.';

/**
 * Lists a page of the tenant's users with any problem: first those with a lasting problem, the newest user first, then those
 * with wrong codes in the last 24 hours, the latest first. A page may be short or empty.
 */
export async function listAllTroubled(
  { userRecords }: PortsWith<'userRecords.listByEvent' | 'userRecords.listWithProblem'>,
  { tenantId }: Tenant,
  page: PageRequest,
  at: number,
): Promise<Page<TroubledUser>> {
  const isLater = page.cursor?.startsWith(WRONG_CODES) ?? false;
  const { items, nextCursor }: Page<User> = isLater
    ? { items: [] }
    : await userRecords.listWithProblem(tenantId, page);
  const lasting = items.map((user) => ({ user }));
  if (nextCursor !== undefined) return { items: lasting, nextCursor };
  if (lasting.length === page.limit) return { items: lasting, nextCursor: WRONG_CODES };
  const from = isLater ? page.cursor?.slice(WRONG_CODES.length) : undefined;
  const rest = { limit: page.limit - lasting.length, ...(from && { cursor: from }) };
  const since = toWireDate(at - PERIOD_SECONDS);
  const failed = await userRecords.listByEvent(tenantId, EVENTS.failed_login, since, rest);
  const guessed = failed.items.filter((user) => listProblems(user)[0] === 'wrong_codes');
  return {
    items: [...lasting, ...guessed.map((user) => ({ user }))],
    ...(failed.nextCursor !== undefined && { nextCursor: `${WRONG_CODES}${failed.nextCursor}` }),
  };
}

/** Lists a page of the tenant's users with a recent problem, the latest event first. A page may be short or empty. */
export async function listTroubled(
  ports: PortsWith<'userRecords.listByEvent' | 'otps.locksOf' | 'guesses.areFull'>,
  tenant: Tenant,
  { problem, ...page }: PageRequest & { readonly problem: keyof typeof EVENTS },
  at: number,
): Promise<Page<TroubledUser>> {
  const since = toWireDate(at - PERIOD_SECONDS);
  const { items: users, ...rest } = await ports.userRecords.listByEvent(
    tenant.tenantId,
    EVENTS[problem],
    since,
    page,
  );
  if (problem === 'failed_login') return { ...rest, items: users.map((user) => ({ user })) };
  const locked = new Map<string, TroubledUser>();
  // A user without wrong codes since the last login has no lock.
  const suspects = users.filter(({ wrongGuesses }) => wrongGuesses !== undefined);
  await inBatches(suspects, PARALLEL_WRITES, async (user) => {
    const holds = await findHolds(ports, tenant, user, at);
    const locks = holds.filter(({ reason }) => reason === 'wrong_codes' || reason === 'codes_off');
    if (locks.length === 0) return;
    const ends = locks.flatMap(({ until }) => until ?? []);
    // Locks without an end outlast the others.
    const lockedUntil = ends.length === locks.length ? ends.toSorted().at(-1) : undefined;
    locked.set(user.userId, { user, lockedUntil });
  });
  return { ...rest, items: suspects.flatMap(({ userId }) => locked.get(userId) ?? []) };
}
