import { ServiceError } from '../../errors/service-error.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { hasEnded } from '../trust/generations.ts';

/** Returns true if the user is disabled or has deleted their account, even while the deletion can still be undone. */
export const isBlocked = ({ status, erasure }: User): boolean =>
  status === 'Disabled' || erasure !== undefined;

/**
 * Rejects a user who is disabled or deleted, because such a user can neither log in nor receive a credential. Errors:
 * `user_not_active`.
 */
export function requireActive(user: User): User {
  if (isBlocked(user)) throw new ServiceError('user_not_active');
  return user;
}

/**
 * Rejects a message to a user who is disabled or deleted. The log then shows support why no message arrived. Errors:
 * `user_not_active`.
 */
export function requireReachable(user: User): User {
  if (isBlocked(user))
    throw new ServiceError('user_not_active', { audit: { userId: user.userId, refusal: 'user_disabled' } });
  return user;
}

/**
 * Returns true if an active session is still valid for its user. A session may have started after the user was blocked or its
 * credentials were superseded, but before all sessions of the user were ended.
 */
export function isSessionValid(user: User | undefined, session: Session): user is User {
  const isOwn = user?.userId === session.userId && user.tenantId === session.tenantId;
  return isOwn && !isBlocked(user) && !hasEnded(user, session);
}
