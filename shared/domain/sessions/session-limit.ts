import type { Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { SESSIONS_MAX } from '../basis/limits.ts';
import { lastUseOf } from './session-lifetimes.ts';

/**
 * The living sessions of a user beyond a limit, the least recently used ones. They are ended after a login, so that no login
 * waits for it. A caller that never logs out fills no table, and all sessions of a user can be listed and ended at once.
 */
export async function findSurplusSessions(
  ports: Using<'sessions.listOf'>,
  userId: string,
  at: number,
): Promise<readonly Session[]> {
  const living = await ports.sessions.listOf(userId, at);
  return [...living]
    .sort((one, other) => lastUseOf(other) - lastUseOf(one) || other.startedAt - one.startedAt)
    .slice(SESSIONS_MAX);
}
