import type { Session } from '../../ports/flows.ts';
import { SESSIONS_MAX } from '../basis/limits.ts';
import { lastUseOf } from './session-lifetimes.ts';

/**
 * The living sessions of a user beyond a limit, the least recently used ones. They are ended after a login, so that no login
 * waits for it. A caller that never logs out fills no table, and all sessions of a user can be listed and ended at once.
 */
export const surplusSessions = (living: readonly Session[]): readonly Session[] =>
  [...living]
    .sort((one, other) => lastUseOf(other) - lastUseOf(one) || other.startedAt - one.startedAt)
    .slice(SESSIONS_MAX);
