import type { Session } from '../../ports/flows.ts';
import { SESSIONS_MAX } from '../basis/limits.ts';
import { computeLastUse } from './session-lifetimes.ts';

/**
 * Returns the least recently used sessions of a user beyond the limit, which are ended after a login without delaying it. The
 * limit keeps callers who never log out from filling the table. It also keeps the number small enough to end all sessions of a
 * user in one call.
 */
export const surplusSessions = (active: readonly Session[]): readonly Session[] =>
  [...active]
    .sort((one, other) => computeLastUse(other) - computeLastUse(one) || other.startedAt - one.startedAt)
    .slice(SESSIONS_MAX);
