import type { Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { SESSIONS_MAX } from '../basis/limits.ts';
import { lastUseOf } from './session-lifetimes.ts';

/**
 * Ends what a user has beyond so many living sessions, the least recently used first: a caller that logs somebody in again and
 * again, and never out, fills no table, and all sessions of a user can be listed and ended in one go. Safe to repeat; returns
 * what this call has ended. To be asked after a login, and by nobody who waits for one.
 */
export async function endSurplusSessions(
  ports: Using<'sessions.listOf' | 'sessions.end'>,
  userId: string,
  at: number,
): Promise<readonly Session[]> {
  const living = await ports.sessions.listOf(userId, at);
  const surplus = [...living]
    .sort((one, other) => lastUseOf(other) - lastUseOf(one) || other.startedAt - one.startedAt)
    .slice(SESSIONS_MAX);
  const ended = await Promise.all(
    surplus.map(async (session) => ((await ports.sessions.end(session.sessionId, at)) ? [session] : [])),
  );
  return ended.flat();
}
