import type { Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { SESSIONS_MAX } from '../basis/limits.ts';
import { lastUseOf } from './session-lifetimes.ts';

/**
 * Ends the living sessions of a user beyond a limit, the least recently used first, and returns those. A caller that never
 * logs out fills no table, and all sessions of a user can be listed and ended at once. Safe to repeat. Runs after a login, so
 * that no login waits for it.
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
