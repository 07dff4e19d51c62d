import type { Session } from '../../ports/flows.ts';
import { SESSIONS_MAX } from '../basis/limits.ts';
import { lastUseOf } from './session-lifetimes.ts';

/**
 * Returns the least recently used sessions of a user beyond the limit. They are ended after a login, so that no login waits for
 * it. The limit keeps a caller who never logs out from filling the table, and all sessions of a user can be listed and ended at
 * once.
 */
export const surplusSessions = (living: readonly Session[]): readonly Session[] =>
  [...living]
    .sort((one, other) => lastUseOf(other) - lastUseOf(one) || other.startedAt - one.startedAt)
    .slice(SESSIONS_MAX);
