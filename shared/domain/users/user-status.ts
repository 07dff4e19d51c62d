import { ServiceError } from '../../errors/service-error.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { isOver } from '../trust/generations.ts';

/** Who has deleted their account cannot log in while it can be undone either. */
export const isBlocked = ({ status, erasure }: User): boolean =>
  status === 'Disabled' || erasure !== undefined;

/** A user who is disabled can neither be sent a credential nor log in. Errors: `user_not_active`. */
export function requireActive(user: User): User {
  if (isBlocked(user)) throw new ServiceError('user_not_active');
  return user;
}

/** Refuses a message to a user who is disabled; the log tells support why none came. Errors: `user_not_active`. */
export function requireReachable(user: User): User {
  if (isBlocked(user))
    throw new ServiceError('user_not_active', { audit: { userId: user.userId, refusal: 'user_disabled' } });
  return user;
}

/**
 * Whether a living session is still good: what ends the sessions of a user is written to the user first, and one may have begun
 * in between.
 */
export function maySessionGoOn(user: User | undefined, session: Session): user is User {
  const isOwn = user?.userId === session.userId && user.tenantId === session.tenantId;
  return isOwn && !isBlocked(user) && !isOver(user, session);
}
